import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { boardLayout } from '../../../src/kinds/board/format/layout.ts';
import { rebuildWhole } from '../../../src/store/upkeep/rebuild-whole.ts';
import { boardDir, listed, logOf, openBoard, shown, snapshotOf } from '../../support/board.ts';
import { ended, startNode } from '../../support/child.ts';
import { scratch } from '../../support/scratch.ts';

const writers = Number(process.env['DOCKET_BOARD_WRITERS'] ?? 4);
const each = Number(process.env['DOCKET_BOARD_EACH'] ?? 25);

/** One writer that is killed now and then, and started again until it has made as many as it should. */
async function writer(root: string, name: string, kills: number): Promise<string[]> {
  const facts: string[] = [];
  for (let lives = 0; ; lives += 1) {
    const made = facts.filter((fact) => fact.startsWith('created')).length;
    if (made >= each) return facts;
    const child = startNode('board-writer.mjs', [root, name, String(each - made)]);
    if (lives < kills) killSoon(child, 300 + Math.random() * 1500);
    const { out, code } = await ended(child);
    // What was cut off in the pipe was not acknowledged to anybody.
    facts.push(...out.split('\n').slice(0, -1));
    if (lives >= kills && code !== 0) throw new Error(`${name} ended with ${String(code)}`);
  }
}

function killSoon(child: ChildProcess, ms: number): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  child.once('exit', () => clearTimeout(timer));
}

/** Nobody who reads ever sees half of something. */
async function reader(root: string, signal: AbortSignal): Promise<number> {
  let reads = 0;
  for (; !signal.aborted; reads += 1) {
    if (fs.existsSync(snapshotOf(root))) listed(root);
    shown(root);
    await sleep(20);
  }
  return reads;
}

it('loses and doubles nothing with many writers, kills and readers', { timeout: 1_200_000 }, async () => {
  const root = scratch();
  const stop = new AbortController();
  await (await openBoard(root)).close();
  const reading = reader(root, stop.signal);
  const names = Array.from({ length: writers }, (_, n) => `w${n}`);
  const all = (await Promise.all(names.map((name, n) => writer(root, name, n % 2)))).flat();
  stop.abort();
  expect(await reading).toBeGreaterThan(0);

  const of = (word: string): string[] =>
    all.filter((fact) => fact.startsWith(word)).map((fact) => fact.slice(word.length + 1));
  const [created, claimed] = [of('created'), of('claimed')];
  expect(created.length).toBeGreaterThanOrEqual(writers * each);
  expect(new Set(created).size, 'ids that were given out twice').toBe(created.length);
  expect(new Set(claimed).size, 'tasks that two have claimed').toBe(claimed.length);
  const tasks = shown(root);
  expect(
    created.filter((id) => !tasks[id]),
    'tasks that were lost',
  ).toEqual([]);
  expect(
    claimed.filter((id) => tasks[id]?.status !== 'claimed'),
    'claims that were lost',
  ).toEqual([]);
  const ids = fs.readFileSync(logOf(root), 'utf8').trimEnd().split('\n');
  expect(new Set(ids.map((line) => (JSON.parse(line) as { eventId: string }).eventId)).size).toBe(ids.length);
  await (await openBoard(root)).close();
  expect(listed(root)).toEqual(tasks);
  const where = { root, dir: boardDir(root), layout: boardLayout, clock: { now: () => Date.now() } };
  expect(await rebuildWhole(where, { dryRun: true })).toMatchObject({
    missing: [],
    unknown: [],
    changed: [],
  });
});
