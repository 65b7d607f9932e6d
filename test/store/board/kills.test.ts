import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { boardFile, create, listed, openBoard, shown } from '../../support/board.ts';
import { startNode } from '../../support/child.ts';
import { scratch } from '../../support/scratch.ts';

const rounds = Number(process.env['DOCKET_BOARD_KILLS'] ?? 8);

it('heals after every kill -9, and nobody has to help', { timeout: 60_000 + rounds * 10_000 }, async () => {
  const root = scratch();
  const promised = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const child = startNode('board-writer.mjs', [root, `w${round}`, '100000']);
    let out = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
    const first = await Promise.race([
      once(child.stdout!, 'data'),
      once(child, 'exit').then(() => undefined),
    ]);
    expect(first, 'the writer ended before it wrote').toBeDefined();
    await sleep(Math.random() * 400);
    child.kill('SIGKILL');
    await once(child, 'close');
    for (const line of out.split('\n').slice(0, -1)) promised.add(line);

    shown(root); // who only reads need not wait for anybody
    const board = await openBoard(root, { lockWaitMs: 1000 });
    await create(board, `after ${round}`);
    await board.close();
    expect(listed(root), `after kill ${round}`).toEqual(shown(root));
    expect(fs.existsSync(boardFile(root, 'locks/task-board.lock'))).toBe(false);
  }
  const tasks = shown(root);
  const facts = [...promised].map((line) => line.split(' ') as [string, string]);
  expect(facts.filter(([, id]) => !tasks[id])).toEqual([]);
  expect(facts.filter(([word, id]) => word === 'claimed' && tasks[id]?.owner === null)).toEqual([]);
});
