import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { withOwn } from '../../src/kinds/board/format/extras.ts';
import { nextTaskId } from '../../src/kinds/board/format/ids.ts';
import type { BoardTask } from '../../src/kinds/board/format/intent.ts';
import { boardLayout } from '../../src/kinds/board/format/layout.ts';
import { boardTask } from '../../src/kinds/board/format/task.ts';
import { applyTogether } from '../../src/store/execute.ts';
import { openFileStore } from '../../src/store/file/file-store.ts';
import type { FileStore, FileStoreOptions } from '../../src/store/store.ts';
import type { Command } from '../../src/task/command.ts';
import { readNow } from './scratch.ts';

export const boardDir = (root: string): string => path.join(root, '.docket', 'board');
export const boardFile = (root: string, name: string): string => path.join(root, 'state', name);
export const logOf = (root: string): string => boardFile(root, 'tasks.jsonl');
export const snapshotOf = (root: string): string => boardFile(root, 'tasks.snapshot.json');

/** Open for writing; closed when the test ends, at the latest. */
export async function openBoard(root: string, options: Partial<FileStoreOptions> = {}): Promise<FileStore> {
  const store = await openFileStore({
    root,
    dir: boardDir(root),
    layout: boardLayout,
    projectionLagMs: 0,
    lockWaitMs: 5000,
    ...options,
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= store.close());
  onTestFinished(() => close().catch(() => undefined));
  return { ...store, close };
}

/** One after the other, all or none, as one command of a person. */
export async function act(board: FileStore, ...commands: Command[]): Promise<void> {
  const refused = await board.exclusive([], (ledger, commit, now) =>
    applyTogether(ledger, commands, now, commit),
  );
  if (!refused.ok) throw new Error(refused.message);
}

/** With an automatic id. */
export function create(board: FileStore, title: string, hint = 'coder', by = 'ann'): Promise<string> {
  return board.exclusive([], (ledger, commit, now) => {
    const id = nextTaskId(ledger.ids());
    const extras = withOwn({}, { assigneeHint: hint });
    const command: Command = { type: 'create', id, by, title, spec: { body: '' }, extras };
    const refused = applyTogether(ledger, [command], now, commit);
    if (!refused.ok) throw new Error(refused.message);
    return id;
  });
}

/** What a board shows, without a byte written, by id. */
export function shown(root: string): Record<string, BoardTask> {
  const { tasks } = readNow({
    root,
    dir: boardDir(root),
    layout: boardLayout,
    clock: { now: () => Date.now() },
  });
  return Object.fromEntries(tasks.map((task) => [task.id, boardTask(task)]));
}

export function listed(root: string): Record<string, BoardTask> {
  const { tasks } = JSON.parse(fs.readFileSync(snapshotOf(root), 'utf8')) as {
    tasks: Record<string, BoardTask>;
  };
  return tasks;
}

export function writeLog(root: string, text: string): void {
  fs.mkdirSync(path.dirname(logOf(root)), { recursive: true });
  fs.writeFileSync(logOf(root), text);
}
