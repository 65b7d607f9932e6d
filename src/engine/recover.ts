import type { SessionWish, Usage } from '../adapters/adapter.ts';
import { adoptProcess, hasBegun } from '../io/process/adopt.ts';
import { removeTempFolder, tempFolderOf } from '../io/process/temp-folder.ts';
import { continuation } from '../render/prompt.ts';
import { openAttempt } from '../task/allowed.ts';
import { type Attempt, type Called, lastCall } from '../task/attempt.ts';
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
  const open = openAttempt(recorder.task, step);
  // A conversation in which we had to answer cannot be read afterwards.
  const reads = agent.adapter.capabilities.replays && !agent.approvals && open?.agent === agent.name;
  if (open && reads && hasBegun({ dir: options.folder(open.n), mark: open.mark }))
    return adopted(options, open);
  const cut = open && (await endStray(options, open)) ? open : undefined;
  const last = cut ?? lastCall(recorder.task, step);
  if (last?.agent !== agent.name) return undefined;
  const isAsked = !options.once || options.goOn !== undefined || (options.goesOn && last.end?.error);
  return cut || isAsked ? continued(options, last) : undefined;
}

function adopted(options: StepOptions, { n, mark, session: id }: Attempt): Takeover {
  // The first one has begun its conversation: what that has used is all its own.
  const isOwn = n === 1 && !options.session;
  const session: SessionWish = id === undefined ? { kind: 'new' } : { kind: isOwn ? 'new' : 'resume', id };
  return { prompt: '', session, adopt: { n, mark } };
}

/**
 * Work that was put back into the queue goes on where it was, if its last attempt was cut short. What had ended goes on
 * only when there is something new to tell it.
 */
function continued({ agent, goOn, note }: StepOptions, last: Called): Takeover | undefined {
  const { session, end } = last;
  const cutShort = end === undefined || end.outcome === 'stopped' || end.outcome === 'failed';
  const prompt = goOn ?? (cutShort ? continuation : undefined);
  if (!agent.adapter.capabilities.resume || session === undefined || prompt === undefined || end?.poisoned)
    return undefined;
  return {
    prompt: note === undefined ? prompt : `${prompt}\n\nA person says about it:\n\n${note}`,
    session: { kind: 'resume', id: session },
    ...(end?.sessionUsage && { usedBefore: end.sessionUsage }),
  };
}

/**
 * An attempt of another agent, or one that cannot be read afterwards: nothing of it may go on working. False: it never
 * began.
 */
async function endStray(options: StepOptions, { n, mark, startedAt }: Attempt): Promise<boolean> {
  const dir = options.folder(n);
  const began = hasBegun({ dir, mark });
  if (began) await adoptProcess({ dir, mark })?.stop('canceled');
  await removeTempFolder(tempFolderOf(mark));
  const { recorder, step, holds, now } = options;
  if (began) {
    const used = usedBy(undefined, (now() - Date.parse(startedAt)) / 1000);
    await holds?.meter.over(mark, { used, answered: false });
    await recorder.lost(step, n);
  } else {
    await holds?.meter.never(mark);
    await recorder.uncalled(step, n, options.uncalled?.(recorder.task));
  }
  return began;
}
