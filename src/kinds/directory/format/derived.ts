import type { Derived } from '../../../layout/layout.ts';
import { parseJson } from '../../../schema/json.ts';
import type { Attempt } from '../../../task/attempt.ts';
import { isTaskId } from '../../../task/id.ts';
import { proofQuestionFor } from '../../../task/proof-question.ts';
import type { Step } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { homeInstance, isNative, nativeAdapter } from './adapter.ts';
import { evidenceByStep, evidenceIds } from './evidence.ts';
import { joined, joinedMarkdown, proofOf } from './joined.ts';
import { ownOf } from './own.ts';
import { readme, stateBoard } from './pages.ts';
import { resultOf } from './result.ts';
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

const empty = '[]\n';

/**
 * `shared/evidence/index.json`. Our entries are made anew at each join; those of others stay, in their order. A text
 * that is no list is left exactly as it is: somebody is at work on it.
 */
function evidenceFile(task: Task, current: string | undefined): string {
  const text = current === undefined || current.trim() === '' ? empty : current;
  const entries = entriesIn(text);
  if (!entries || task.run?.joinedAt === undefined) return text;
  const ours = new Set(evidenceIds(task.run.steps).values());
  const others = entries.filter((entry) => !isOurs(entry, ours));
  const next = [...others, ...[...evidenceByStep(task).values()].flat()];
  return JSON.stringify(next) === JSON.stringify(entries) ? text : json(next);
}

function entriesIn(text: string): unknown[] | undefined {
  const parsed = parseJson(text.replace(/^\uFEFF/, ''));
  return 'value' in parsed && Array.isArray(parsed.value) ? parsed.value : undefined;
}

function isOurs(entry: unknown, ours: ReadonlySet<string>): boolean {
  const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
  if (typeof id !== 'string') return false;
  return ours.has(id) || ours.has(id.replace(/-evidence-\d+$/, ''));
}

/** `session.json`: which conversation of which vendor this is. Paths are from the agent's folder. */
function sessionFile(task: Task, step: Step, attempt: Attempt): string {
  const adapter = nativeAdapter(attempt);
  const fork = step.session?.kind === 'fork' ? step.session.id : undefined;
  return json({
    adapter,
    instance: step.id,
    agent: step.role,
    state: statusWord(task, step.id),
    startedAt: attempt.startedAt,
    attempts: attempt.n,
    vendorSession: {
      tool: isNative(adapter) ? 'codex' : attempt.adapter,
      threadId: attempt.session ?? null,
      // From the order, not from the attempt: no retry or resume can lose it.
      ...(fork !== undefined && { forkedFromThreadId: fork }),
      cwd: step.cwd ?? '.',
      ...(isNative(adapter) && homeOf(task, step)),
    },
    recording: {
      events: './runtime/events.jsonl',
      stderr: './runtime/stderr.log',
      ...(adapter === 'codex-app-server' && { requests: './runtime/requests.jsonl' }),
    },
  });
}

/** None: it works in the user's own. */
function homeOf(task: Task, { id }: Step): { codexHome?: string } {
  const owner = homeInstance(task, id);
  if (owner === undefined) return {};
  return { codexHome: owner === id ? './codex_home' : `../${owner}/codex_home` };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
