import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../support/scratch.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const counter = path.join(repository, 'test', 'bin', 'count-files.mjs');

/** A project with settings, and a way to run docket there as people do. */
function project() {
  const root = scratch();
  fs.mkdirSync(path.join(root, '.docket'));
  fs.writeFileSync(path.join(root, '.docket', 'config.yaml'), 'defaultAgent: claude\n');
  /** How often each file was opened. */
  const opened = (...words: string[]): ((ending: string) => number) => {
    const counts = path.join(root, 'counts.json');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', counter, path.join(repository, 'bin', 'docket'), ...words],
      {
        cwd: root,
        env: {
          PATH: process.env['PATH'],
          HOME: root,
          DOCKET_STATE: `${root}/state-home`,
          COUNT_FILES: counts,
        },
        encoding: 'utf8',
      },
    );
    if (status !== 0 && status !== 5) throw new Error(stderr); // 5: the board does not take it for done
    const found = Object.entries(JSON.parse(fs.readFileSync(counts, 'utf8')) as Record<string, number>);
    return (ending) =>
      found.filter(([file]) => file.endsWith(ending)).reduce((sum, [, count]) => sum + count, 0);
  };
  return { root, opened };
}

it('opens the log and reads the settings once for a word to the board', () => {
  const { root, opened } = project();
  opened('say', 'create task T-001: x');
  opened('say', '--as', 'coder', 'claim T-001');
  fs.writeFileSync(path.join(root, 'a.txt'), 'done');
  const count = opened('say', '--as', 'coder', 'mark done T-001: a.txt changed');
  expect(count('state/tasks.jsonl')).toBe(1);
  expect(count('.docket/config.yaml')).toBe(1);
  expect(count('docket.mutex')).toBe(1);
  expect(count('tasks.snapshot.json')).toBeLessThanOrEqual(1);
  // The lock of other tools is made anew whenever it is taken: to open the board, and to write what was judged.
  expect(count('.docket-tmp') - count('json.docket-tmp')).toBe(2);
});

it('opens the journal and reads the settings once to add a task', () => {
  const { opened } = project();
  opened('add', 'first');
  const count = opened('add', 'second');
  expect(count('queue/journal.jsonl')).toBe(1);
  expect(count('.docket/config.yaml')).toBe(1);
  expect(count('store.lock')).toBe(1);
  expect(count('.takt/tasks.yaml')).toBeLessThanOrEqual(2);
});

it('opens each file of a store at most once to look', () => {
  const { opened } = project();
  opened('add', 'first');
  const count = opened('status');
  const files = ['queue/journal.jsonl', 'queue/snapshot.jsonl', 'queue/projection.json'];
  expect(files.map(count)).toEqual([1, 1, 1]);
  expect(count('.docket/config.yaml')).toBe(0);
});
