import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRecord } from '../../../src/kinds/queue/format/record.ts';
import { does, living, MixedWorkspace } from '../../support/mixed-workspace.ts';
import { add } from '../../support/scratch.ts';

const names = (items: readonly { name: string }[]) => items.map(({ name }) => name);

describe('the view of a workspace', () => {
  it('has all layouts in one, each task at its place', async () => {
    const workspace = new MixedWorkspace();
    await workspace.fill();
    const view = await workspace.look();
    expect(view.layouts).toEqual([
      { layout: 'queue', tasks: 2, counts: { queued: 1, canceled: 1 } },
      { layout: 'task', tasks: 2, counts: { queued: 1, canceled: 1 } },
      { layout: 'packet', tasks: 2, counts: { queued: 1, canceled: 1 } },
      { layout: 'board', tasks: 2, counts: { queued: 2 } },
    ]);
    expect(view.waiting.map(({ layout, why }) => [layout, why.kind])).toEqual([
      ['queue', 'slot'],
      ['board', 'claim'],
      ['board', 'claim'],
      ['task', 'start'],
      ['packet', 'slot'],
    ]);
    expect(names(view.ended).toSorted()).toEqual(['over', 'p2', expect.stringMatching(/^task-/)]);
    expect(view).toMatchObject({ findings: [], stuck: [], needs: [], running: [], parked: [] });
    expect(view.cost?.all.calls).toBe(0);
    const board = await workspace.viewer().look({ layout: 'board' });
    expect(board.layouts.map(({ layout }) => layout)).toEqual(['board']);
  });

  it('says what needs a person and what is stuck, with the command that goes on', async () => {
    const workspace = new MixedWorkspace();
    await workspace.queue(async (store) => {
      for (const id of ['asks', 'gone', 'broken']) await add(store, id);
      const reason = { kind: 'verify', text: 'nobody has seen it\nby day', who: 'a person' } as const;
      await does(store, { type: 'block', id: 'asks', by: 'docket', reason });
      await does(store, { type: 'cancel', id: 'gone', by: 'ann', reason: 'no' });
      await does(store, {
        type: 'fail',
        id: 'broken',
        by: 'docket',
        failure: { error: 'it does not build' },
      });
      await does(store, {
        type: 'create',
        id: 'later',
        by: 'ann',
        title: 'Later',
        spec: { body: '' },
        needs: ['gone'],
        extras: { queue: newRecord({ name: 'later', taskDir: '.takt/tasks/later' }) },
      });
    });
    const view = await workspace.look();
    expect(view.needs.map(({ name, why, next }) => [name, why.text, next?.words])).toEqual([
      ['asks', 'verify: nobody has seen it', ['retry', 'asks', '--note', 'TEXT']],
      ['broken', 'failed: it does not build', ['retry', 'broken', '--note', 'TEXT']],
    ]);
    expect(view.stuck.map(({ name, why }) => [name, why.kind, why.text])).toEqual([
      ['later', 'dependency', 'waits for gone (canceled), which will never be done'],
    ]);
  });

  it('shows as running only what a process that lives is at work on', async () => {
    const workspace = new MixedWorkspace();
    const { lease, end } = living();
    await workspace.queue(async (store) => {
      await add(store, 'one');
      await does(store, { type: 'start', id: 'one', by: 'w', owner: 'w', lease });
      const attempt = { step: 'implement', n: 1, agent: 'codex', adapter: 'codex', mark: 'm-1' };
      await does(store, { type: 'begin', id: 'one', by: 'w', token: 2, ...attempt });
    });
    const view = await workspace.settled();
    expect(view.running).toMatchObject([{ name: 'one', step: 'implement', agent: 'codex', attempt: 1 }]);
    expect(fs.existsSync(workspace.cacheFile)).toBe(true);
    await end();
    const after = await workspace.look();
    expect(after.running).toEqual([]);
    expect(after.stuck).toMatchObject([{ name: 'one', status: 'queued', why: { kind: 'crash' } }]);
  });

  it('reports a damaged store once, and shows the others', async () => {
    const workspace = new MixedWorkspace();
    await workspace.fill();
    const log = path.join(workspace.root, 'state', 'tasks.jsonl');
    fs.writeFileSync(log, fs.readFileSync(log, 'utf8').replace('"taskId"', '"taskIt"'));
    fs.writeFileSync(path.join(workspace.root, '.tmp', 'task', 'p1', 'manifest.yaml'), 'task_id: [\n');
    for (let times = 0; times < 2; times += 1) {
      const view = await workspace.settled();
      expect(view.findings.map(({ layout }) => layout).toSorted()).toEqual(['board', 'packet']);
      for (const { message, fix, path: file } of view.findings)
        for (const text of [message, fix, file]) expect(text).not.toBe('');
      expect(view.layouts.map(({ layout }) => layout)).toEqual(['queue', 'task', 'packet']);
    }
  });

  it('counts failures of long ago, and does not ask for them again', async () => {
    const workspace = new MixedWorkspace();
    await workspace.queue(async (store) => {
      await add(store, 'broken');
      await does(store, { type: 'fail', id: 'broken', by: 'docket', failure: { error: 'no' } });
    });
    expect((await workspace.look()).more.failed).toBe(0);
    const later = workspace.viewer(() => Date.now() + 8 * 86_400_000);
    expect(await later.look()).toMatchObject({ needs: [], more: { failed: 1 } });
  });
});
