import type { Wrong } from '../schema/problem.ts';
import { asObject } from './takt-agents-file.ts';
import { readSettings } from './takt-settings-file.ts';

/** `.takt/debug.yaml`: whether to tell more, how much, and where to. */
export interface DebugSettings {
  enabled?: boolean;
  level?: (typeof levels)[number];
  logFile?: string;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

export function debugIn(text: string): { debug: DebugSettings | undefined; remarks: Wrong[] } {
  const file = readSettings(text);
  if ('message' in file) return { debug: undefined, remarks: [file] };
  const remarks: Wrong[] = [];
  const remark = (key: string, message: string, fix: string) =>
    remarks.push({ message, fix, ...file.at(key) });
  const debug: DebugSettings = {};
  for (const [key, value] of Object.entries(asObject(file.value) ?? {})) {
    const level = levels.find((word) => word === value);
    if ((key === 'enabled' || key === 'debug') && typeof value === 'boolean') debug.enabled = value;
    else if (key === 'level' && level) debug.level = level;
    else if ((key === 'log_file' || key === 'logFile') && typeof value === 'string' && isLogBelow(value))
      debug.logFile = value;
    else if (['enabled', 'debug', 'level', 'log_file', 'logFile'].includes(key))
      remark(
        key,
        `"${key}" has no value that docket takes`,
        'Use true or false; debug, info, warn or error; a path below the root that ends in .log.',
      );
    else remark(key, `docket makes nothing of "${key}"`, 'Nothing is to be done.');
  }
  return { debug: Object.keys(debug).length > 0 ? debug : undefined, remarks };
}

/** A file that anybody may write must not choose what docket writes to elsewhere, nor what is no log. */
function isLogBelow(file: string): boolean {
  return file.endsWith('.log') && !/^(?:[/\\~]|[A-Za-z]:)/.test(file) && !file.split(/[/\\]/).includes('..');
}
