import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { createFile, listDir, readBytes, sizeAndInode } from '../../io/files.ts';

export interface FoundSession {
  file: string;
  /** Where it began, as gemini noted it. */
  folder: string | undefined;
}

/** Transcripts lie in `tmp/<project>/chats/session-<time>-<first 8 of the id>.jsonl`; the first line has the whole id. */
export function findSession(state: string | undefined, id: string): FoundSession | undefined {
  if (state === undefined) return undefined;
  const projects = path.join(state, 'tmp');
  const found: (FoundSession & { size: number })[] = [];
  for (const project of listDir(projects)) {
    const chats = path.join(projects, project, 'chats');
    if (!sizeAndInode(chats)) continue;
    for (const name of listDir(chats)) {
      if (!name.endsWith(`-${id.slice(0, 8)}.jsonl`)) continue;
      const file = path.join(chats, name);
      const folder = readBytes(path.join(projects, project, '.project_root'))
        ?.toString('utf8')
        .trim();
      if (idIn(file) === id.toLowerCase()) found.push({ file, folder, size: sizeAndInode(file)?.size ?? 0 });
    }
  }
  // A resume may leave a second, empty file of the same id.
  return found.toSorted((a, b) => b.size - a.size)[0];
}

/** The copy stays as it is, whatever the original does next. */
export function copyOfSession(found: FoundSession | undefined, id: string, dir: string): string {
  const content = found && readBytes(found.file);
  if (content === undefined) {
    throw new DocketError(
      'NOT_FOUND',
      `gemini has no transcript of the session ${id}`,
      'begin a new session; gemini keeps its own in the folder tmp of its home',
      { adapter: 'gemini', session: id },
    );
  }
  const copy = path.join(dir, 'gemini-session.jsonl');
  createFile(copy, content);
  return copy;
}

function idIn(file: string): string | undefined {
  const content = readBytes(file);
  if (content === undefined) return undefined;
  const end = content.indexOf(10);
  const first = content.subarray(0, end < 0 ? content.length : end).toString('utf8');
  return /"sessionId":\s*"([0-9a-f-]{36})"/i.exec(first)?.[1]?.toLowerCase();
}
