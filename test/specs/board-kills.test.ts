import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoardProject, report } from '../support/board-project.ts';
import { ended, startNode } from '../support/child.ts';

/** So many points of each command are died at; all of them with DOCKET_BOARD_POINTS=1000. */
const most = Number(process.env['DOCKET_BOARD_POINTS'] ?? 12);

interface Job {
  text: string;
  how?: object;
  point?: string;
}

async function acted(at: BoardProject, job: Job): Promise<string[]> {
  const { out } = await ended(startNode('board-act.mjs', [JSON.stringify({ root: at.root, ...job })]));
  return out.split('\n').slice(0, -1);
}

/** The lock of other tools comes and goes all the time, and is its own tests' business. */
function some(points: readonly string[]): string[] {
  const own = points.filter((point) => !point.includes('task-board.lock'));
  const step = Math.max(1, own.length / most);
  return Array.from({ length: Math.min(most, own.length) }, (_, n) => own[Math.floor(n * step)] ?? '');
}

describe('killed anywhere', { timeout: 20 * 60_000 }, () => {
  it('a worker is started once for each attempt, and its task is done once', async () => {
    const job = { text: 'run T-001', how: { mode: 'spawn' } };
    const sample = new BoardProject();
    await sample.say('create task: build');
    const points = some(await acted(sample, job));
    expect(points.length).toBeGreaterThan(5);
    for (const point of points) {
      const at = new BoardProject(`sleep 0.1; ${report()}`);
      await at.say('create task: build');
      await acted(at, { ...job, point });
      const pass = await at.hear('run T-001', { mode: 'spawn' });
      expect([pass.outcome.kind, await at.stand()], `at ${point}`).toEqual([
        expect.stringMatching(/^(dispatched|already)$/),
        ['T-001 done'],
      ]);
      expect(new Set(at.log).size, `${point}: ${at.log.join(', ')}`).toBe(at.log.length);
      const done = at.lines().filter((line) => line === 'T-001 task_done');
      expect(done, `at ${point}`).toHaveLength(1);
    }
  });

  it('a project is started once, and its first task given away once', async () => {
    const started = (): BoardProject => {
      const at = new BoardProject();
      at.write('shop/PRD.md', '# Shop\n\n- M1: the cart\n- M2: the till\n');
      return at;
    };
    const sample = started();
    const points = some(await acted(sample, { text: 'start project shop' }));
    for (const point of points) {
      const at = started();
      await acted(at, { text: 'start project shop', point });
      const { outcome } = await at.hear('start project shop');
      expect(outcome, `at ${point}`).toMatchObject({ kind: 'project_started', name: 'Shop', count: 2 });
      expect(at.lines(), `at ${point}`).toEqual([
        'T-001 task_created',
        'T-002 task_created',
        'T-001 task_claimed',
        'T-001 task_dispatched',
      ]);
      const bound = fs.readFileSync(path.join(at.root, '.docket/board/projects.json'), 'utf8');
      expect(bound, `at ${point}`).toContain('"T-002"');
    }
  });
});
