import { DocketError } from '../../../errors.ts';
import type { Answered } from '../../../project/tasks/act.ts';
import { afterFailure } from '../../../project/tasks/after-failure.ts';
import { nextOf } from '../../../project/tasks/next.ts';
import { missingReason, wantsNote } from '../../../render/asked.ts';
import type { GateAnswer, GateInfo } from '../../../render/gates.ts';
import { personIn, usage } from '../frame/args.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { visible } from '../frame/visible.ts';
import { afterNo, waitingGates } from './gates.ts';

/** `answer`, `gate approve` and `gate reject`. `named`: the gate, where its task has several. */
export async function answerGate(
  context: Context,
  answer: Omit<GateAnswer, 'by'>,
  named: string | undefined,
  typed: keyof typeof noteIn = 'gate approve',
): Promise<number> {
  const { args, globals, world, out } = context;
  const [ref = ''] = args.operands;
  const by = personIn(world.env);
  const { gate, answered } = await withDocket(context, async (docket) => {
    const gates = await docket.gates(ref);
    const meant = named === undefined ? theOnlyGate(gates, ref) : { gate: named };
    assertAnswers(
      answer,
      gates.find((one) => one.gate === meant.gate),
      typed,
    );
    return { gate: meant.gate, answered: await docket.answer(ref, meant.gate, { ...answer, by }) };
  });
  const { decision } = answer;
  const { kind, name, task } = answered;
  if (globals.json) out.answer({ kind, id: task.id, status: task.status, name, gate, decision });
  else {
    out.data(`${decision} ${visible(gate)} of ${visible(ref)}; ${nowOf(answered, decision)}`);
    out.talk(nextStep(answered, context));
  }
  return 0;
}

/** A queued task is not at its end: what matters is whether it can continue. */
function nowOf({ task: { status } }: Answered, decision: GateAnswer['decision']): string {
  if (status !== 'queued') return `it is ${status}`;
  return decision === 'rejected' ? 'that step is over, and the rest can go on' : 'it can go on';
}

/** How the words of an answer are typed, by command. */
const noteIn = { answer: '"your answer" behind the task', 'gate approve': '--note "…"' } as const;

function assertAnswers(
  answer: Omit<GateAnswer, 'by'>,
  gate: GateInfo | undefined,
  typed: keyof typeof noteIn,
): void {
  const missing = gate && missingReason(answer, gate);
  if (!gate || missing === undefined) return;
  const why = wantsNote(gate, answer.choice) ? 'say why with' : 'answer it with';
  throw usage(missing, `${why} ${noteIn[typed]}`, typed);
}

function theOnlyGate(gates: readonly GateInfo[], ref: string): { gate: string } {
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
  const { name, task, kind } = answered;
  const waits = waitingGates(task, name).length;
  if (waits > 0) return `Still waiting: ${waits}. See: ${copyable(context, 'gate', 'list', name)}`;
  if (task.status === 'running') return 'The run that is under way goes on with it.';
  const failed = task.status === 'failed' ? afterFailure(kind, name, task) : undefined;
  if (failed?.rejected) return `Next: ${afterNo(failed.words, context)}`;
  if (failed) return `Next: mend what failed, then ${copyable(context, ...failed.words)}`;
  return `Next: ${copyable(context, ...nextOf(kind).goOn(name))}`;
}
