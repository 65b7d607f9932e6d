import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keysIn } from '../../../src/surfaces/cli/list/interactive.ts';
import { add, lookAt, openStore, scratch } from '../../support/scratch.ts';
import { inFolder } from './real-world.ts';

const [up, down, enter, escape] = ['\u001B[A', '\u001B[B', '\r', '\u001B'];

async function twoTasks(): Promise<string> {
  const root = scratch();
  const store = await openStore(root);
  await add(store, 'first');
  await add(store, 'other');
  await store.close();
  return root;
}

/** A person at a terminal: each press is one chunk, as a terminal sends it. */
async function pressed(root: string, ...presses: readonly string[]) {
  async function* stdin(): AsyncGenerator<string> {
    yield* presses;
  }
  return inFolder(root, ['list', '-i'], { tty: true, stdin: stdin() });
}

const statuses = (root: string) => lookAt(root).tasks.map(({ id, status }) => [id, status]);

describe('docket list -i', () => {
  it('offers what is possible, and does what the command would do', async () => {
    const root = await twoTasks();
    // The second task; its second action, which is to cancel; yes.
    const { code, stdout, stderr } = await pressed(root, down, enter, down, enter, '2', enter, 'q');
    expect(code).toBe(0);
    expect(stderr).toMatch(/> 1 {2}first .*\n {2}2 {2}other/);
    expect(stderr).toContain('other (queued): Title of other\n> 1  show\n  2  cancel\n');
    expect(stdout).toBe('other is canceled (was queued)\n');
    expect(statuses(root)).toEqual([
      ['first', 'queued'],
      ['other', 'canceled'],
    ]);
  });

  it('does nothing grave by mistake', async () => {
    const root = await twoTasks();
    const { code, stdout } = await pressed(root, enter, '2', enter, enter, up, escape);
    expect([code, stdout]).toEqual([0, '']);
    expect(statuses(root).map(([, status]) => status)).toEqual(['queued', 'queued']);
  });

  it('shows a task and comes back, until the person or the terminal goes', async () => {
    const root = await twoTasks();
    const { code, stdout } = await pressed(root, '2', enter, enter, enter, '1', enter, enter);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name: other[\s\S]+^name: first/m);
  });

  it('has nothing to choose from in an empty queue', async () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, '.docket'));
    const { code, stderr } = await pressed(root, enter);
    expect([code, stderr]).toEqual([0, 'There is no task to choose.\n']);
  });
});

describe('keys', () => {
  it.each([
    ['\u001B[A\u001B[B', ['up', 'down']],
    ['12\r', [{ digit: 1 }, { digit: 2 }, 'enter']],
    ['\u001B', ['back']],
    ['\u001B[1;5C\u001B[3~xü\u001BOA', ['up']],
    ['\u0003', ['quit']],
    ['constructor', []],
  ])('%j', (sent, keys) => {
    expect(keysIn(sent)).toEqual(keys);
  });
});
