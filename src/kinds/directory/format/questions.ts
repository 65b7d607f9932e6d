import { askedAt } from '../../../render/asked.ts';
import { inline } from '../../../render/markdown.ts';
import { isProofQuestion, needsNote } from '../../../task/proof-question.ts';
import type { Gate, Run } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { pointers } from './pointers.ts';
import { isInterrupted } from './words.ts';

const longest = 500;

/** What waits for a person, in Markdown: every question with its answers, or why the task is blocked without one. */
export function needLines(task: Task): string[] {
  const waiting = Object.entries(task.run?.gates ?? {}).filter(([, { state }]) => state === 'blocked');
  const lines = waiting.flatMap(([id, gate]) => questionLines(task, id, gate));
  if (isInterrupted(task) && waiting.length === 0)
    lines.push(`- Nothing is running now. Continue: \`docket task resume ${task.id}\``);
  if (waiting.length > 0 || task.status !== 'blocked' || task.reason.who === 'docket') return lines;
  return [`- ${inline(task.reason.text, longest)}`, `  - continue: \`docket task resume ${task.id}\``];
}

function questionLines({ id, run }: Task, name: string, gate: Gate): string[] {
  const asked = allQuestions(run, gate);
  return [
    `- \`${name}\`: ${inline(gate.reason, longest)}`,
    ...(asked.length > 1 ? asked.map((question, at) => `  ${at + 1}. ${inline(question, longest)}`) : []),
    ...answers(id, name, gate).map((answer) => `  - ${answer}`),
  ];
}

function allQuestions(run: Run | undefined, gate: Gate): string[] {
  return askedAt(run, gate).questions ?? [];
}

function answers(task: string, name: string, gate: Gate): string[] {
  const command = (word: string, more = '') => `docket gate ${word} ${task} ${name}${more}`;
  const note = ' --note "…"';
  const choices = (gate.options ?? []).filter(({ kind }) => kind !== 'deny');
  const approve = choices.map(({ id, text }) => {
    const words = command('approve', ` --choice=${id}${needsNote(gate, id) ? note : ''}`);
    return `\`${words}\`: ${inline(text, 200)}`;
  });
  return [
    ...(approve.length > 0 ? approve : [`\`${command('approve', note)}\``]),
    `\`${command('reject', note)}\``,
    ...byNotes(task, gate),
  ];
}

/** An agent that waits in the middle of its turn needs a choice: notes do not answer it. */
function byNotes(task: string, gate: Gate): string[] {
  const isProof = isProofQuestion(gate);
  if (gate.options && !(isProof && gate.steps?.length)) return [];
  const what = isProof ? 'to send it back' : 'or';
  return [
    `${what}: write into [${pointers.humanNotes.slice(2)}](${pointers.humanNotes}), then \`docket task resume ${task}\``,
  ];
}
