import type { Whole } from '../../../layout/layout.ts';
import { asciiJson } from '../../../schema/ascii-json.ts';
import { memoryOf } from './memory.ts';
import { boardTask } from './task.ts';
import { wholeSeconds } from './words.ts';

const version = 2;

/** `tasks.snapshot.json`, in the bytes that the format's other tools write. */
export const snapshot: Whole = {
  path: 'state/tasks.snapshot.json',
  head: '{\n  "tasks": {\n',
  between: ',\n',
  tail: (at) => `\n  },\n${meta(at)}`,
  empty: (at) => `{\n  "tasks": {},\n${meta(at)}`,
  piece(task) {
    if (task.removedAt !== undefined) return undefined;
    const text = JSON.stringify(boardTask(task), undefined, 2).replaceAll('\n', '\n    ');
    return asciiJson(`    ${JSON.stringify(task.id)}: ${text}`);
  },
  order: (task) => memoryOf(task).born,
};

function meta(at: string): string {
  const updatedAt = wholeSeconds(at);
  return `  "meta": {\n    "version": ${version},\n    "updatedAt": "${updatedAt}"\n  }\n}\n`;
}
