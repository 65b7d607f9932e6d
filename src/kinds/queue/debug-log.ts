import path from 'node:path';
import { DocketError, messageOf } from '../../errors.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { appendPlain } from '../../io/plain-file.ts';
import type { Task } from '../../task/schema.ts';
import { ownOf } from './format/record.ts';
import type { TaskRun } from './task-run.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof levels)[number];
export type Tell = (level: Level, what: string, more?: object) => void;

const longestText = 500;

/**
 * What docket and its agents do, as lines of JSON, for people who look for a fault: in the run's `logs/debug.log`, or in
 * the file that the settings name. A log that cannot be written ends no run: that is told once, by `failed`.
 */
export function debugLog(run: TaskRun, task: Task, failed: (why: string) => void): Tell {
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
