import { DocketError } from '../../../errors.ts';
import { afterFailure } from '../../../kinds/after-failure.ts';
import type { GateAnswer, GateInfo } from '../../../kinds/gates.ts';
import { missingReason, wantsNote } from '../../../render/asked.ts';
import { usage } from '../args.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { personIn } from '../person.ts';
import { visible } from '../visible.ts';
import { answerIn, gatesIn, type Answered } from './gate-sources.ts';
import { afterNo, waitingGates } from './gates.ts';

/** `gate approve` and `gate reject`. */
export async function answerGate(context: Context, answer: Omit<GateAnswer, 'by'>): Promise<number> {
  const { args, globals, world, out } = context;
  const [ref = '', named] = args.operands;
  const by = personIn(world.env);
  const { gate, answered } = await withApp(context, async (app) => {
    const gates = await gatesIn(app, ref);
    const meant = named === undefined ? theOnlyGate(gates, ref) : { task: ref, gate: named };
    assertAnswers(
      answer,
      gates.find((one) => one.gate === meant.gate),
    );
    return { gate: meant.gate, answered: await answerIn(app, meant.task, meant.gate, { ...answer, by }) };
  });
  const { decision } = answer;
  if (globals.json) out.answer({ ...answered.fields, gate, decision });
  else {
    out.data(`${decision} ${visible(gate)} of ${visible(ref)}; ${nowOf(answered, decision)}`);
    out.talk(nextStep(answered, context));
  }
  return 0;
}

/** Its format's word for a task directory that may go on is "created", as if nothing had happened. */
function nowOf({ kind, task, state }: Answered, decision: GateAnswer['decision']): string {
  if (kind !== 'task' || task.status !== 'queued') return `it is ${visible(state)}`;
  return decision === 'rejected' ? 'that step is over, and the rest can go on' : 'it can go on';
}

function assertAnswers(answer: Omit<GateAnswer, 'by'>, gate: GateInfo | undefined): void {
  const missing = gate && missingReason(answer, gate);
  if (!gate || missing === undefined) return;
  const fix = wantsNote(gate, answer.choice) ? 'say why with --note "…"' : 'answer it with --note "…"';
  throw usage(missing, fix, 'gate approve');
}

function theOnlyGate(gates: readonly GateInfo[], ref: string): { task: string; gate: string } {
  const waiting = gates.filter(({ state }) => state === 'blocked');
  const [only, ...others] = waiting;
  if (only && others.length === 0) return only;
  const names = waiting.map(({ gate }) => gate);
  const before = gates.toSorted((a, b) => ((a.resolvedAt ?? '') < (b.resolvedAt ?? '') ? -1 : 1)).at(-1);
  if (!only && before)
    throw new DocketError(
      'REFUSED',
      `no gate of ${ref} waits: ${before.gate} was ${before.state} already, by ${before.resolvedBy ?? 'somebody'}`,
      `see them: docket gate list ${ref}`,
      { ref, gate: before.gate, state: before.state },
    );
  throw only
    ? new DocketError('INVALID', `${names.length} gates of ${ref} wait`, `say which: ${names.join(', ')}`, {
        gates: names,
      })
    : new DocketError('NOT_FOUND', `no gate of ${ref} waits`, `see them: docket gate list ${ref}`, { ref });
}

function nextStep(answered: Answered, context: Context): string {
  const { id, name, task, resume, kind } = answered;
  const waits = waitingGates({ id, task }).length;
  if (waits > 0) return `Still waiting: ${waits}. See: ${copyable(context, 'gate', 'list', name)}`;
  if (task.status === 'running') return 'The run that is under way goes on with it.';
  const failed = task.status === 'failed' ? afterFailure(kind, name, task) : undefined;
  if (failed?.rejected) return `Next: ${afterNo(failed.words, context)}`;
  if (failed) return `Next: mend what failed, then ${copyable(context, ...failed.words)}`;
  return `Next: ${copyable(context, ...resume)}`;
}
