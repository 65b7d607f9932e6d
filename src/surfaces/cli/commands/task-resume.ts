import { DocketError } from '../../../errors.ts';
import type { Docket } from '../../../project/docket.ts';
import { hasManyAnswers } from '../../../render/asked.ts';
import { last, personIn } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { control, oneTask, taskExits } from '../frame/options.ts';
import { named } from '../task/fields.ts';
import { waitingGates } from '../task/gates.ts';
import { running } from '../task/running.ts';
import { runAnswer } from '../task/schema.ts';

export const command: Definition = {
  operand: oneTask,
  options: [
    {
      name: 'note',
      summary: 'Approve every gate that waits, with this note, first',
      value: { kind: 'text', label: 'TEXT' },
    },
    ...control,
  ],
  notes: [
    'To act is to answer the gates (docket gate), or to write into the',
    "task's shared/human-notes.md. While a gate still waits, it is refused.",
    'Work that is not proved is checked again. A canceled task is refused:',
    'docket task retry reopens it.',
    taskExits,
  ],
  examples: ['docket task resume <task>', 'docket task resume <task> --note "Use port 8080"'],
  answer: runAnswer('The same as docket task run.'),
  run,
};

async function run(context: Context): Promise<number> {
  const note = last(context.args, 'note');
  if (note !== undefined) await withDocket(context, (docket) => approveAll(docket, note, context));
  return running(context, 'task resume', (tasks, control) => tasks.resume(named(context), control));
}

/** Each gate as it was just seen: one that closed again meanwhile is not answered by this note. */
async function approveAll(docket: Docket, note: string, context: Context): Promise<void> {
  const id = named(context);
  const gates = waitingGates((await (await docket.tasks()).show(id)).task);
  if (gates.length === 0) {
    const fix = "resume without --note, or write it into the task's shared/human-notes.md";
    throw new DocketError('REFUSED', `no gate of task ${id} waits: the note would reach nobody`, fix, { id });
  }
  const proof = gates.find(hasManyAnswers);
  if (proof) throw whichAnswer(id, proof.gate);
  const by = personIn(context.world.env);
  for (const { gate, times } of gates)
    await docket.answer(id, gate, { decision: 'approved', by, note, times, of: 'task' });
}

/** A note alone does not say whether the work is accepted or sent back. */
function whichAnswer(id: string, gate: string): DocketError {
  return new DocketError(
    'REFUSED',
    `${gate} of task ${id} has several answers, and a note alone does not choose one`,
    `accept it: docket gate approve ${id} ${gate} --note "…"; or send it back: docket gate approve ${id} ${gate} --choice=send-back --note "…"`,
    { id, gate },
  );
}
