import type { Derived } from '../../../layout/layout.ts';
import { isTaskId } from '../../../task/id.ts';
import { proofQuestionFor } from '../../../task/proof-question.ts';
import type { Step } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { evidenceFile } from './evidence-file.ts';
import { joinedMarkdown } from './joined-md.ts';
import { joined, proofOf } from './joined.ts';
import { ownOf } from './own.ts';
import { readme } from './readme.ts';
import { resultOf } from './result.ts';
import { json, sessionFile } from './session-file.ts';
import { stateBoard } from './state-board.ts';
import type { Own } from './task-file.ts';
import { statusWord } from './words.ts';

/** The files of a task directory that say what the task says. */
export function derived(task: Task): Derived[] {
  const { run } = task;
  const own = ownOf(task);
  const key = String(task.rev);
  const files: Derived[] = [
    { path: 'README.md', key, text: (current) => readme(task, own, current) },
    {
      path: 'shared/evidence/index.json',
      key: JSON.stringify([run?.joinedAt ?? '', run && proofOf(run)]),
      text: (current) => evidenceFile(task, current),
    },
  ];
  if (!run) return files;
  files.push({ path: 'shared/state-board.md', key, text: (current) => stateBoard(task, run, own, current) });
  if (run.joinedAt !== undefined) files.push(...reports(task, own, run.joinedAt));
  // An id from a damaged journal must not become a path.
  for (const step of run.steps) if (step.kind !== 'human' && isTaskId(step.id)) addWorker(files, task, step);
  return files;
}

function reports(task: Task, own: Own, joinedAt: string): Derived[] {
  const key = JSON.stringify([joinedAt, task.title, own.roster, proofOf(task.run)]);
  const folder = 'shared/reports';
  return [
    { path: `${folder}/joined-summary.md`, key, text: () => joinedMarkdown(joined(task, own), task.title) },
    { path: `${folder}/joined-summary.json`, key, text: () => json(joined(task, own)) },
  ];
}

/** What stands in a worker's own folder. There may be hundreds of them: a key is all that a commit makes. */
function addWorker(files: Derived[], task: Task, step: Step): void {
  const folder = `agents/${step.id}`;
  const attempt = task.attempts?.[step.id];
  const state = task.run?.states[step.id];
  if (attempt) {
    const key = `${attempt.n}|${attempt.session ?? ''}|${statusWord(task, step.id)}`;
    files.push({ path: `${folder}/session.json`, key, text: () => sessionFile(task, step, attempt) });
  }
  // What another tool wrote stays as it is until docket runs the step itself.
  if (step.foreign && !attempt) return;
  if (state && state.state !== 'running') {
    const isOpen = proofQuestionFor(task.run, step.id) !== undefined;
    const key = `${state.since}|${state.state}|${isOpen}`;
    files.push({ path: `${folder}/artifacts/final.json`, key, text: () => json(resultOf(step, task.run)) });
  }
}
