import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/io/clock.ts';
import { makeBoard } from '../../../../src/kinds/board/board.ts';
import { initBoard, rebuildBoard } from '../../../../src/kinds/board/tools.ts';
import { scratch } from '../../../support/scratch.ts';

const folder = fileURLToPath(new URL('../../../fixtures/board/', import.meta.url));
const names = fs.readdirSync(folder).filter((name) => name !== 'README.md');
const log = 'state/tasks.jsonl';
const snapshot = 'state/tasks.snapshot.json';

type Tasks = Record<string, { status: string; title: string }>;

/** A copy to work on. */
function copied(name: string) {
  const root = scratch();
  fs.cpSync(path.join(folder, name), root, { recursive: true });
  const where = { root, env: process.env, clock: systemClock, warn: () => undefined };
  const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
  return { where, board: makeBoard(where), read, original: { log: read(log), snapshot: read(snapshot) } };
}

const tasksIn = (text: string): Tasks => (JSON.parse(text) as { tasks: Tasks }).tasks;

/** A board without a task has no latest fact: its file is as old as its making. */
const withoutTime = (text: string): string => text.replace(/(?<="version": 2,\s*"updatedAt": ")[^"]*/, '');

describe.each(names)('a board of the original: %s', (name) => {
  it('is read as it is, task by task, without a byte written', async () => {
    const { board, read, original } = copied(name);
    expect(await board.list()).toEqual(Object.values(tasksIn(original.snapshot)));
    expect({ log: read(log), snapshot: read(snapshot) }).toEqual(original);
  });

  it('has the same bytes when it was opened for writing and nothing was changed', async () => {
    const { where, read, original } = copied(name);
    await initBoard(where, { settings: false, dryRun: false });
    expect(read(log)).toBe(original.log);
    expect(read(snapshot)).toBe(original.snapshot);
  });

  it('gets the same tasks again from its log alone', async () => {
    const { where, read, original } = copied(name);
    expect(await rebuildBoard(where, { dryRun: true })).toMatchObject({ same: true });
    fs.rmSync(path.join(where.root, snapshot));
    await rebuildBoard(where, { dryRun: false });
    expect(read(log)).toBe(original.log);
    expect(tasksIn(read(snapshot))).toEqual(tasksIn(original.snapshot));
    expect(withoutTime(read(snapshot))).toBe(withoutTime(original.snapshot));
  });

  it('keeps its lines, and its other tasks, when one is added', async () => {
    const { board, read, original } = copied(name);
    const { signal } = new AbortController();
    const sender = { actor: 'ann', isBot: false };
    await board.say({ text: 'create task T-900: new', sender, signal });
    expect(read(log).startsWith(original.log)).toBe(true);
    const { 'T-900': added, ...others } = tasksIn(read(snapshot));
    expect([added?.title, others]).toEqual(['new', tasksIn(original.snapshot)]);
  });
});
