import path from 'node:path';
import type { Progress } from '../../engine/progress.ts';
import { DocketError, messageOf } from '../../errors.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { appendPlain } from '../../io/plain-file.ts';
import type { Task } from '../../task/schema.ts';
import { ownOf } from './format/record.ts';
import type { TaskRun } from './task-run.ts';

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
