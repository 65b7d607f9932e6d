import path from 'node:path';
import type { Progress } from '../../engine/progress.ts';
import { DocketError, messageOf } from '../../errors.ts';
import { AppendFile } from '../../io/append-file.ts';
import { listDir, makeDir } from '../../io/files.ts';
import { renamePath } from '../../io/folders.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { appendPlain, writePlain } from '../../io/plain-file.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Json } from '../../task/json.ts';
import type { Task } from '../../task/schema.ts';
import { slugify } from './format/names.ts';
import { notedOf, ownOf, wishesOf } from './format/record.ts';
import type { TaskRun } from './task-run.ts';

const longestFile = 16 * 1024 * 1024;

/** `.takt/runs/<slug>`: what a run leaves for people to read. Agents can write there too, so nothing is decided by it. */
export class RunFolder {
  readonly slug: string;
  readonly #takt: string;
  #log: AppendFile | undefined;

  constructor(root: string, slug: string) {
    this.slug = slug;
    this.#takt = path.join(root, '.takt');
  }

  get dir(): string {
    return path.join(this.#takt, 'runs', this.slug);
  }

  get reportDir(): string {
    return path.join(this.dir, 'reports');
  }

  /** Its text, if a step has handed it in. */
  report(name: string): string | undefined {
    return isFileName(name) ? readTextFile(path.join(this.reportDir, name), longestFile) : undefined;
  }

  /** An earlier one of that name is kept beside it. */
  handIn(name: string, text: string, now: number): void {
    if (!isFileName(name)) throw new Error(`"${name}" is no name for a report`);
    const file = path.join(this.#folder('reports'), name);
    const before = readTextFile(file, longestFile);
    if (before === text) return;
    if (before !== undefined) renamePath(file, `${file}.${stamp(now)}`);
    writePlain(file, text);
  }

  /** What an agent answered, whole. Returns where it is. */
  keepAnswer(step: string, n: number, text: string): string {
    const folder = this.#folder('context', 'previous_responses');
    const file = path.join(folder, `${step}.${n}.md`);
    writePlain(file, text);
    writePlain(path.join(folder, 'latest.md'), text);
    return file;
  }

  answer(step: string, n: number): { text: string; file: string } | undefined {
    const file = path.join(this.dir, 'context', 'previous_responses', `${step}.${n}.md`);
    const text = readTextFile(file, longestFile);
    return text === undefined ? undefined : { text, file };
  }

  /** The task as it was given to this run. */
  stage(order: string): void {
    writePlain(path.join(this.#folder('context', 'task'), 'order.md'), order);
  }

  /** One line of the session's log. */
  log(record: Readonly<Record<string, Json>>, now: number): void {
    this.#log ??= this.#openLog(now);
    this.#log.append(
      Buffer.from(`${JSON.stringify({ ...record, timestamp: new Date(now).toISOString() })}\n`),
    );
  }

  close(): void {
    this.#log?.close();
    this.#log = undefined;
  }

  #openLog(now: number): AppendFile {
    const folder = this.#folder('logs');
    const name = `${stamp(now)}-${String(listDir(folder).length + 1).padStart(3, '0')}-${process.pid}.jsonl`;
    const file = path.join(folder, name);
    writePlain(file, '');
    const opened = AppendFile.open(file, 'write');
    if (!opened) throw new Error(`${file} is gone`);
    return opened;
  }

  #folder(...names: readonly string[]): string {
    makeDir(this.#takt);
    return makeOwnFolder(this.#takt, 'runs', this.slug, ...names);
  }
}

/** A plain name: no folder, nothing hidden, nothing that a shell or a person could take for something else. */
function isFileName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,119}$/u.test(name) && !name.includes('..');
}

function stamp(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}

const longestMeta = 1024 * 1024;

/** The folder of a task's run: its own folder's name, unless another task's run has it. The end of the id is unique. */
export function runSlugFor(task: Task, root: string): string {
  const { runSlug } = notedOf(task);
  if (runSlug !== undefined && isSlug(runSlug)) return runSlug;
  const { taskDir, slug } = wishesOf(task);
  const wanted = taskDir === undefined ? undefined : path.posix.basename(taskDir);
  if (wanted !== undefined && isFree(wanted, task, root)) return wanted;
  return `${slugify(slug ?? ownOf(task).name)}-${task.id.slice(-7).toLowerCase()}`;
}

/** It was read from a journal that others can write to, and becomes a folder's name. */
function isSlug(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,200}$/.test(text);
}

function isFree(slug: string, { id }: Task, root: string): boolean {
  const meta = readTextFile(path.join(root, '.takt', 'runs', slug, 'meta.json'), longestMeta);
  return meta === undefined || meta.includes(JSON.stringify(id));
}

/** The lines of `logs/*.jsonl`, in the words that readers of this format know. A log, not a truth: that is the journal. */
export function sessionLog(run: TaskRun, task: Task) {
  const { folder, graph, places, masking } = run;
  const now = () => places.clock.now();
  folder.log({ type: 'workflow_start', task: masking.text(task.title), workflowName: graph.name }, now());
  const debug = debugLog(run, task, (reason) => folder.log({ type: 'debug_log_failed', reason }, now()));
  debug('info', 'begins', { id: task.id, workflow: graph.name, cwd: run.cwd, run: folder.slug });
  let iteration = 0;
  return {
    tell(progress: Progress): void {
      if (progress.kind === 'started' || progress.kind === 'ended') return;
      const about = { step: progress.title, persona: progress.role };
      if (progress.kind === 'step') {
        iteration += 1;
        folder.log({ type: 'step_start', ...about, iteration, attempt: progress.attempt }, now());
        debug('info', 'step begins', { ...about, agent: progress.agent, attempt: progress.attempt });
      }
      if (progress.kind === 'event') debug('debug', 'agent', { step: progress.title, event: progress.event });
      if (progress.kind === 'stepped') {
        const { state, summary } = progress;
        folder.log({ type: 'step_complete', ...about, iteration, status: state, content: summary }, now());
        debug(state === 'done' ? 'info' : 'warn', 'step ended', { ...about, state, summary });
      }
    },
    end(after: Task | undefined): void {
      const status = after?.status ?? 'removed';
      debug(levelOf(status), 'ended', { status, ...(status !== 'done' && { reason: reasonOf(after) }) });
      if (status === 'done') folder.log({ type: 'workflow_complete', iterations: iteration }, now());
      else folder.log({ type: 'workflow_abort', iterations: iteration, reason: reasonOf(after) }, now());
    },
  };
}

function levelOf(status: string): 'info' | 'warn' | 'error' {
  return status === 'failed' ? 'error' : status === 'done' ? 'info' : 'warn';
}

function reasonOf(task: Task | undefined): string {
  if (task?.status === 'failed') return task.failure.error;
  if (task?.status === 'blocked') return task.reason.text;
  return task?.status ?? 'removed';
}

const levels = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof levels)[number];
type Tell = (level: Level, what: string, more?: object) => void;

const longestText = 500;

/**
 * What docket and its agents do, as lines of JSON, for people who look for a fault: in the run's `logs/debug.log`, or in
 * the file that the settings name. A log that cannot be written ends no run: that is told once, by `failed`.
 */
function debugLog(run: TaskRun, task: Task, failed: (why: string) => void): Tell {
  const { enabled = false, level: least = 'debug', logFile } = run.config.debug ?? {};
  if (!enabled) return () => undefined;
  const { root, clock } = run.places;
  const file = logFile ?? path.join('.takt', 'runs', run.folder.slug, 'logs', 'debug.log');
  const { name } = ownOf(task);
  let isOpen = true;
  return (level, what, more = {}) => {
    if (!isOpen || levels.indexOf(level) < levels.indexOf(least)) return;
    const line = { at: new Date(clock.now()).toISOString(), level, task: name, what, ...more };
    try {
      const folders = path.dirname(path.normalize(file)).split(path.sep);
      const folder = makeOwnFolder(root, ...folders.filter((one) => one !== '.'));
      appendPlain(path.join(folder, path.basename(file)), `${JSON.stringify(line, clipped)}\n`);
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      isOpen = false;
      failed(messageOf(error));
    }
  };
}

function clipped(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > longestText ? `${value.slice(0, longestText)}…` : value;
}
