import type { TaskDirectories } from '../../../app/task/api.ts';
import { DocketError } from '../../../errors.ts';
import { last } from '../args.ts';
import type { Context } from '../context.ts';
import { personIn } from '../person.ts';
import { named } from '../task/directories.ts';
import { waitingGates } from '../task/gates.ts';
import { running } from '../task/running.ts';

export async function run(context: Context): Promise<number> {
  const note = last(context.args, 'note');
  return running(context, 'task resume', async (tasks, control) => {
    if (note !== undefined) await approveAll(tasks, note, context);
    return tasks.resume(named(context), control);
  });
}

/** Each gate as it was just seen: one that closed again meanwhile is not answered by this note. */
async function approveAll(tasks: TaskDirectories, note: string, context: Context): Promise<void> {
  const id = named(context);
  const gates = waitingGates(await tasks.show(id));
  if (gates.length === 0) {
    const fix = "resume without --note, or write it into the task's shared/human-notes.md";
    throw new DocketError('REFUSED', `no gate of task ${id} waits: the note would reach nobody`, fix, { id });
  }
  const by = personIn(context.world.env);
  for (const { gate, times } of gates)
    await tasks.answer(id, gate, { decision: 'approved', by, note, times });
}
