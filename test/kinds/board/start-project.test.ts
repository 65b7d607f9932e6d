import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoardProject, report } from '../../support/board-project.ts';

const prd = '# Shop\n\n## 里程碑\n\n- the cart\n- debug the till\n';

describe('a project that is started', { timeout: 60_000 }, () => {
  it('has its tasks made from its document, once, and the first given to somebody by hand', async () => {
    const at = new BoardProject();
    at.write('shop/PRD.md', prd);
    const first = await at.hear('开始项目 shop');
    expect(first.outcome).toMatchObject({
      kind: 'project_started',
      name: 'Shop',
      count: 2,
      document: 'PRD.md',
      taskIds: ['T-001', 'T-002'],
      first: { kind: 'dispatched', mode: 'manual', agent: 'coder' },
    });
    expect(await at.board.list()).toMatchObject([
      { title: '[Shop] the cart', status: 'claimed', owner: 'coder' },
      { title: '[Shop] debug the till', status: 'pending', assigneeHint: 'debugger' },
    ]);
    fs.symlinkSync('shop', path.join(at.root, 'link'));
    const size = at.lines().length;
    for (const text of ['start project shop', '启动项目 "./shop/"', 'start project link'])
      expect(await at.hear(text)).toMatchObject({ outcome: { again: true, count: 2 }, events: [] });
    expect(at.lines()).toHaveLength(size);
    expect(await at.say('start project nowhere')).toContain('nowhere');
    expect(at.log).toEqual([]);
  });

  it('is worked on in its own folder, and by itself while auto progress is on', async () => {
    const at = new BoardProject(`pwd > "$CUES/where"; ${report()}`);
    at.write('shop/PRD.md', prd);
    await at.hear('auto progress on', { later: true });
    const { outcome } = await at.hear(`start project ${at.root}/shop`);
    expect(outcome).toMatchObject({ first: { mode: 'spawn', ended: { decision: 'done' } } });
    expect(at.cue('where').trim()).toBe(fs.realpathSync(path.join(at.root, 'shop')));
    expect(await at.hear('start project shop')).toMatchObject({ outcome: { again: true } });
    expect(await at.stand()).toEqual(['T-001 done', 'T-002 done']);
  });

  it('is verified in its own folder, also when several are at the same time', async () => {
    const at = new BoardProject();
    at.write('shop/PRD.md', prd);
    const here = { verifyCommands: ['sleep 0.2; test -f PRD.md'] };
    const policy = { roles: { coder: here, debugger: here } };
    at.write('config/acceptance-policy.json', JSON.stringify(policy));
    const board = at.another();
    const { signal } = new AbortController();
    const asked = { actor: 'orchestrator', mode: 'spawn', signal } as const;
    await board.act({ intent: 'start_project', path: 'shop' }, asked);
    await board.act({ intent: 'create_task', title: 'elsewhere' }, asked);
    await Promise.all(['T-002', 'T-003'].map((taskId) => board.act({ intent: 'run', taskId }, asked)));
    expect(await board.list()).toMatchObject([
      { status: 'done' },
      { status: 'done', owner: 'debugger' },
      { status: 'blocked', blockedReason: expect.stringContaining('PRD.md') },
    ]);
  });

  it('keeps its tasks apart from those of a folder with the same name', async () => {
    const at = new BoardProject();
    at.write('a/shop/README.md', '# Shop\n');
    at.write('b/shop/README.md', '# Shop\n');
    await at.say('start project a/shop');
    expect(await at.hear('start project b/shop')).toMatchObject({
      outcome: { count: 3, taskIds: ['T-004', 'T-005', 'T-006'] },
    });
  });
});
