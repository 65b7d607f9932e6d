import type { App } from '../../../app.ts';
import type { GateAnswer } from '../../../app/task/api.ts';
import { DocketError } from '../../../errors.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { personIn } from '../person.ts';
import { visible } from '../visible.ts';
import { answerIn, gatesIn, type Answered } from './gate-sources.ts';
import { waitingGates } from './gates.ts';

/** `gate approve` and `gate reject`. */
export async function answerGate(context: Context, answer: Omit<GateAnswer, 'by'>): Promise<number> {
  const { args, globals, world, out } = context;
  const [ref = '', named] = args.operands;
  const by = personIn(world.env);
  const { gate, answered } = await withApp(context, async (app) => {
    const meant = named === undefined ? await theOnlyGate(app, ref) : { task: ref, gate: named };
    return { gate: meant.gate, answered: await answerIn(app, meant.task, meant.gate, { ...answer, by }) };
  });
  const { decision } = answer;
  if (globals.json) out.answer({ ...answered.fields, gate, decision });
  else {
    out.data(`${decision} ${visible(gate)} of ${visible(ref)}; it is ${visible(answered.state)}`);
    out.talk(nextStep(answered, context));
  }
  return 0;
}

async function theOnlyGate(app: App, ref: string): Promise<{ task: string; gate: string }> {
  const waiting = (await gatesIn(app, ref)).filter(({ state }) => state === 'blocked');
  const [only, ...others] = waiting;
  if (only && others.length === 0) return only;
  const names = waiting.map(({ gate }) => gate);
  throw only
    ? new DocketError('INVALID', `${names.length} gates of ${ref} wait`, `say which: ${names.join(', ')}`, {
        gates: names,
      })
    : new DocketError('NOT_FOUND', `no gate of ${ref} waits`, `see them: docket gate list ${ref}`, { ref });
}

function nextStep(answered: Answered, context: Context): string {
  const { id, name, task, resume } = answered;
  const waits = waitingGates({ id, task }).length;
  if (waits > 0) return `Still waiting: ${waits}. See: ${copyable(context, 'gate', 'list', name)}`;
  if (task.status === 'running') return 'The run that is under way goes on with it.';
  return `Next: ${copyable(context, ...resume)}`;
}
