import type { SessionWish, Usage } from '../adapter/adapter.ts';
import { adoptProcess, hasBegun } from '../io/process/adopt.ts';
import { removeTempFolder, tempFolderOf } from '../io/process/temp-folder.ts';
import { continuation } from '../render/prompt.ts';
import { openAttempt } from '../task/allowed.ts';
import type { Attempt } from '../task/attempt.ts';
import { usedBy } from '../task/used.ts';
import type { StepOptions } from './step.ts';

interface Takeover {
  prompt: string;
  session: SessionWish;
  usedBefore?: Usage;
  adopt?: { n: number; mark: string };
}

/**
 * What an earlier docket left of this step. A process that ended is read, one that still works is followed, what cannot
 * be read afterwards is ended and its session continued. Undefined: there is nothing to go on with.
 */
export async function resumeSafely(options: StepOptions): Promise<Takeover | undefined> {
  const { agent, recorder, step } = options;
  const attempt = recorder.attempt(step);
  if (!attempt || attempt.agent !== agent.name) {
    await endStray(options, attempt);
    return undefined;
  }
  const open = openAttempt(recorder.task, step);
  if (!open)
    return options.once && !(options.goesOn && wasHeld(attempt)) ? undefined : continued(options, attempt);
  const session: SessionWish =
    open.session === undefined ? { kind: 'new' } : { kind: 'resume', id: open.session };
  const dir = options.folder(open.n);
  // A conversation in which we had to answer cannot be read afterwards.
  if (agent.adapter.capabilities.replays && !agent.approvals) {
    if (hasBegun({ dir, mark: open.mark })) {
      // It has begun its conversation: what that has used is all its own.
      const own: SessionWish = open.n === 1 && !options.session ? { ...session, kind: 'new' } : session;
      return { prompt: '', session: own, adopt: { n: open.n, mark: open.mark } };
    }
    await removeTempFolder(tempFolderOf(open.mark)); // the last docket came no further than this
    await options.holds?.meter.never(open.mark);
    await recorder.uncalled(step, open.n, options.uncalled?.(recorder.task));
    return unheard(options, open);
  }
  return (await endStray(options, open)) ? continued(options, open) : unheard(options, open);
}

/** It was held where it stood, by its provider or a budget: nobody has judged it, and it goes on there. */
function wasHeld({ end }: Attempt): boolean {
  return end?.error !== undefined && heldClasses.has(end.error.class);
}

const heldClasses: ReadonlySet<string> = new Set(['limit', 'transient', 'budget']);

/**
 * One that never began has no conversation, whatever name we had chosen for it; unless it was to hear what a person
 * said, in the conversation of the one before.
 */
function unheard(options: StepOptions, attempt: Attempt): Takeover | undefined {
  return options.goOn === undefined ? undefined : continued(options, attempt);
}

/**
 * Work that was put back into the queue goes on where it was, if its last attempt was cut short. What had ended goes on
 * only when there is something new to tell it.
 */
function continued({ agent, goOn }: StepOptions, attempt: Attempt): Takeover | undefined {
  const { session, end } = attempt;
  const cutShort = end === undefined || end.outcome === 'stopped' || end.outcome === 'failed';
  const prompt = goOn ?? (cutShort ? continuation : undefined);
  if (!agent.adapter.capabilities.resume || session === undefined || prompt === undefined || end?.poisoned)
    return undefined;
  return {
    prompt,
    session: { kind: 'resume', id: session },
    ...(end?.sessionUsage && { usedBefore: end.sessionUsage }),
  };
}

/**
 * An attempt of another agent, or one that cannot be read afterwards: nothing of it may go on working. False: it never
 * began.
 */
async function endStray(options: StepOptions, attempt: Attempt | undefined): Promise<boolean> {
  if (!attempt || attempt.end) return false;
  const { n, mark } = attempt;
  const dir = options.folder(n);
  const began = hasBegun({ dir, mark });
  if (began) await adoptProcess({ dir, mark })?.stop('canceled');
  await removeTempFolder(tempFolderOf(mark));
  const { recorder, step, holds } = options;
  if (began) {
    await holds?.meter.over(mark, { used: usedBy(undefined, 0), answered: false });
    await recorder.lost(step, n);
  } else {
    await holds?.meter.never(mark);
    await recorder.uncalled(step, n, options.uncalled?.(recorder.task));
  }
  return began;
}
