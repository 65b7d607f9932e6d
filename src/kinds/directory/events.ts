import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { readBytes } from '../../io/files.ts';
import { followLines } from '../../io/follow-lines.ts';
import type { Project } from '../../settings/project.ts';
import type { EventQuery, LogLine } from './api.ts';
import { assertTask } from './place.ts';

/** The log as it stands, other tools' lines included. A last line that is being written is not there yet. */
export function readEvents(where: Project, id: string, { limit, offset, prefix }: EventQuery): LogLine[] {
  const file = logOf(where, id);
  const lines = (readBytes(file)?.toString('utf8') ?? '').split('\n').slice(0, -1);
  return lines
    .map((line, index) => parsed(line, file, index + 1))
    .filter((line) => matches(line, prefix))
    .slice(offset, offset + limit);
}

export async function* followEvents(
  where: Project,
  id: string,
  { prefix, signal }: { prefix?: string; signal: AbortSignal },
): AsyncGenerator<LogLine> {
  const file = logOf(where, id);
  let number = 0;
  for await (const text of followLines(file, signal)) {
    number += 1;
    const line = parsed(text, file, number);
    if (matches(line, prefix)) yield line;
  }
}

function logOf({ root }: Project, id: string): string {
  return path.join(assertTask(root, id).dir, 'events.jsonl');
}

function matches({ type }: LogLine, prefix: string | undefined): boolean {
  return prefix === undefined || (typeof type === 'string' && type.startsWith(prefix));
}

function parsed(text: string, file: string, line: number): LogLine {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as LogLine;
  } catch {
    // said below: a line that is no object is as wrong as one that is no JSON
  }
  throw new DocketError(
    'BAD_JOURNAL',
    `${file}:${line}: the line is no JSON object`,
    'nothing was changed; restore the file from a backup or version control',
    { path: file, line },
  );
}
