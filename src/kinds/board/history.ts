import path from 'node:path';
import { readBytes } from '../../io/files.ts';
import type { PastEvent } from '../../render/board/prompt-data.ts';
import { logFile } from './format/places.ts';
import { isData } from './state-file.ts';

/** The last lines of the log about a task, the newest last. Only lines that name it are parsed. */
export function recentEvents(root: string, taskId: string, most: number): PastEvent[] {
  const lines = (readBytes(path.join(root, logFile)) ?? Buffer.alloc(0)).toString('utf8').split('\n');
  const found: PastEvent[] = [];
  for (let at = lines.length - 1; at >= 0 && found.length < most; at -= 1) {
    const line = lines[at] ?? '';
    const event = line.includes(taskId) ? eventIn(line, taskId) : undefined;
    if (event) found.unshift(event);
  }
  return found;
}

/** How an attempt went is docket's own business. */
const inner = /^(?:attempt|run|step|gate)_/;

function eventIn(line: string, taskId: string): PastEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // the store tells about broken lines
  }
  if (!isData(value) || value['taskId'] !== taskId) return undefined;
  const { at, actor, type, messageType, payload } = value;
  const words = [at, actor, type, messageType];
  if (!words.every((word) => typeof word === 'string') || inner.test(String(type))) return undefined;
  return {
    at: String(at),
    actor: String(actor),
    type: String(type),
    messageType: String(messageType),
    payload: isData(payload) ? payload : {},
  };
}
