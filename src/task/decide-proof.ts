import type { CommandOf } from './command.ts';
import { isPerson } from './evolve-run.ts';
import { needsNote, proofChoices, sentBack } from './proof-question.ts';
import { no, yes, type Decision } from './refusal.ts';
import type { Gate } from './run.ts';
import type { NewEvent, Task } from './schema.ts';

const longest = 2000;

/** The answer to "this work is not proved": accept it, send it back, check it again, or reject it. */
export function answerProof(task: Task, command: CommandOf<'answer'>, gate: Gate): Decision {
  const { by, decision, gate: id } = command;
  const choice = decision === 'approved' ? (command.choice ?? proofChoices.accept) : undefined;
  const note = command.note?.trim() || (by === 'file' ? `${decision} in task.yaml` : '');
  if (isPerson(by) && note === '' && needsNote(gate, choice)) {
    const message = `gate ${id} of task ${task.id} needs a reason: say why with a note`;
    return no('invalid', task, message, { gate: id });
  }
  const data = {
    gate: id,
    decision,
    ...(note !== '' && { note }),
    ...(choice !== undefined && { choice }),
  };
  const answered = yes(task, command, { type: 'gate.answered', data });
  if (!answered.ok || task.status === 'running') return answered;
  answered.events.push(
    ...(choice === undefined ? rejection(task, gate, by, note) : goingOn(task, gate, choice, by, note, id)),
  );
  return answered;
}

function goingOn(task: Task, gate: Gate, choice: string, by: string, note: string, id: string): NewEvent[] {
  const about = { taskId: task.id, by };
  const answer = `${note}\n\nYour work was sent back because it is not proved:\n${gate.reason}`;
  const others = Object.entries(task.run?.gates ?? {}).some(
    ([other, { state }]) => other !== id && state === 'blocked',
  );
  return [
    ...sentBack(gate, choice).map((step): NewEvent => {
      const data = { step, reason: `sent back by ${by}`, answer };
      return { ...about, type: 'step.reopened', data };
    }),
    ...(task.status === 'blocked' && !others
      ? [
          {
            ...about,
            type: 'task.requeued' as const,
            data: { reason: `gate ${id}: ${by} chose ${choice}` },
          },
        ]
      : []),
  ];
}

function rejection(task: Task, { steps = [] }: Gate, by: string, note: string): NewEvent[] {
  const about = { taskId: task.id, by };
  const reason = `rejected by ${by}: ${note}`.slice(0, longest);
  return [
    ...steps.map((step): NewEvent => ({
      ...about,
      type: 'step.ended',
      data: { step, state: 'failed', reason },
    })),
    { ...about, type: 'run.joined', data: {} },
    { ...about, type: 'task.failed', data: { failure: { error: reason } } },
  ];
}
