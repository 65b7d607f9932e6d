import type { GateAnswer, TaskDirectory } from '../../../app/task/api.ts';
import type { Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { personIn } from '../person.ts';
import { visible } from '../visible.ts';
import { withTasks } from './directories.ts';
import { stateOf, taskFields } from './fields.ts';
import { waitingGates } from './gates.ts';

/** `gate approve` and `gate reject`. */
export async function answerGate(context: Context, answer: Omit<GateAnswer, 'by'>): Promise<number> {
  const { args, globals, world, out } = context;
  const [id = '', gate = ''] = args.operands;
  const by = personIn(world.env);
  const directory = await withTasks(context, (tasks) => tasks.answer(id, gate, { ...answer, by }));
  const { decision } = answer;
  if (globals.json) out.answer({ ...taskFields(directory), gate, decision });
  else {
    out.data(`${decision} ${visible(gate)} of ${visible(id)}; it is ${visible(stateOf(directory))}`);
    out.talk(nextStep(directory, context));
  }
  return 0;
}

function nextStep(directory: TaskDirectory, context: Context): string {
  const { id, task } = directory;
  const waits = waitingGates(directory).length;
  if (waits > 0) return `Still waiting: ${waits}. See: ${copyable(context, 'gate', 'list', id)}`;
  if (task.status === 'running') return 'The run that is under way goes on with it.';
  return `Next: ${copyable(context, 'task', 'resume', id)}`;
}
