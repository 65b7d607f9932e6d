import type { GateAnswer } from '../../../app/task/api.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { personIn } from '../person.ts';
import { visible } from '../visible.ts';
import { answerIn, type Answered } from './gate-sources.ts';
import { waitingGates } from './gates.ts';

/** `gate approve` and `gate reject`. */
export async function answerGate(context: Context, answer: Omit<GateAnswer, 'by'>): Promise<number> {
  const { args, globals, world, out } = context;
  const [ref = '', gate = ''] = args.operands;
  const by = personIn(world.env);
  const answered = await withApp(context, (app) => answerIn(app, ref, gate, { ...answer, by }));
  const { decision } = answer;
  if (globals.json) out.answer({ ...answered.fields, gate, decision });
  else {
    out.data(`${decision} ${visible(gate)} of ${visible(ref)}; it is ${visible(answered.state)}`);
    out.talk(nextStep(answered, context));
  }
  return 0;
}

function nextStep(answered: Answered, context: Context): string {
  const { id, task, resume } = answered;
  const waits = waitingGates({ id, task }).length;
  if (waits > 0) return `Still waiting: ${waits}. See: ${copyable(context, 'gate', 'list', id)}`;
  if (task.status === 'running') return 'The run that is under way goes on with it.';
  return `Next: ${copyable(context, ...resume)}`;
}
