import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { readBytes, replaceFile } from '../../io/files.ts';
import { copyFolder } from '../../io/links.ts';

/**
 * The CLI has no fork of its own. A copy of the session's folder under another id is one: history and usage are in
 * these two files, and a resume reads nothing else. Where a later version keeps them otherwise we say so.
 */
const files = ['events.jsonl', 'workspace.yaml'];

export function forkSession(state: string | undefined, id: string, newId: string): string {
  const sessions = state === undefined ? undefined : path.join(state, 'session-state');
  const from = sessions && path.join(sessions, id);
  if (sessions === undefined || from === undefined || !readBytes(path.join(from, 'events.jsonl'))) {
    throw new DocketError(
      'NOT_FOUND',
      `copilot has no session ${id} that could be forked`,
      'begin a new session; copilot keeps its own in the folder session-state of its home',
      { adapter: 'copilot', session: id },
    );
  }
  copyFolder(from, path.join(sessions, newId), (copy) => {
    for (const name of files) rename(path.join(copy, name), id, newId);
  });
  return newId;
}

function rename(file: string, id: string, newId: string): void {
  const text = readBytes(file)?.toString('utf8');
  if (text?.includes(id)) {
    replaceFile(file, text.replaceAll(id, newId));
    return;
  }
  throw new DocketError(
    'REFUSED',
    `this version of copilot keeps its sessions in a way that docket cannot fork (${path.basename(file)})`,
    'resume the session instead, or begin a new one',
    { adapter: 'copilot', session: id },
  );
}
