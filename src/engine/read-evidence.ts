import path from 'node:path';
import { idOf, sha256, type Evidence } from '../gate/evidence.ts';
import { readBook, readOutput } from './evidence-book.ts';

/** `wrong`: why it is not to be believed. */
export type ShownEvidence = Evidence & { wrong?: string };

export function readEvidence(root: string, folder: string, taskId: string): ShownEvidence[] {
  const place = path.join(root, folder);
  return readBook(place).map((entry) => {
    const wrong = wrongWith(entry, place, taskId);
    return wrong === undefined ? entry : { ...entry, wrong };
  });
}

function wrongWith(entry: Evidence, place: string, taskId: string): string | undefined {
  if (entry.taskId !== taskId) return `it is of task ${entry.taskId}`;
  if (entry.id !== idOf(entry)) return 'it was changed after it was made';
  if (!entry.output) return undefined;
  const text = readOutput(place, entry.output.file);
  if (text === undefined) return `its output ${entry.output.file} is gone`;
  return sha256(text) === entry.output.sha256 ? undefined : `its output ${entry.output.file} was changed`;
}
