import type { Loop } from '../task/loop.ts';
import type { Run } from '../task/run.ts';
import type { Task } from '../task/schema.ts';
import { usedWords } from './used.ts';

/** What turns in circles, how often, and what that has cost so far. */
export function loopWords(loop: Loop, task: Pick<Task, 'run' | 'used'>): string {
  const spent = task.used ? ` So far: ${usedWords(task.used)}.` : '';
  return `${sentences[loop.kind](loop, task.run)}.${spent}`;
}

const sentences: Record<Loop['kind'], (loop: Loop, run: Run | undefined) => string> = {
  same: ({ ends }, run) =>
    `${titles(ends.slice(0, 1), run)} ended ${ends.length} times, and nothing changed by it, neither files nor findings (${steps(ends)})`,
  swing: ({ ends }, run) =>
    `the files go back and forth: what ${steps(ends.slice(-1))} made was there before, after ${steps(ends.filter(({ tree }, at) => at < ends.length - 1 && tree === ends.at(-1)?.tree))} (changed by ${titles(ends, run)})`,
  finding: ({ ends }, run) =>
    `${titles(ends.slice(0, 1), run)} found the same ${ends.length} times, whatever was changed for it (${steps(ends)})`,
  restart: ({ ends }) =>
    `docket died ${ends.length} times at work on this task, and no step of it ended in between`,
};

function steps(ends: Loop['ends']): string {
  return [...new Set(ends.flatMap(({ step }) => step ?? []))].join(', ');
}

function titles(ends: Loop['ends'], run: Run | undefined): string {
  const known = ends.flatMap(({ step }) => run?.steps.find(({ id }) => id === step)?.title ?? step ?? []);
  return `step ${[...new Set(known)].join(', ')}`.replace(/^step (.*,)/, 'steps $1');
}
