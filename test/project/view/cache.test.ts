import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { View } from '../../../src/project/view/types.ts';
import { does, MixedWorkspace } from '../../support/mixed-workspace.ts';
import { add, mirrorOf } from '../../support/scratch.ts';

let workspace: MixedWorkspace;
beforeEach(() => {
  workspace = new MixedWorkspace();
});

/** All but the moment itself. */
function still({ at: _, ...view }: View): Omit<View, 'at'> {
  return view;
}

async function expectTrue(): Promise<View> {
  const view = await workspace.look();
  expect(still(view)).toEqual(still(await workspace.uncached()));
  return view;
}

const inode = () => fs.statSync(workspace.cacheFile).ino;
const titles = ({ waiting }: View) => waiting.map(({ title }) => title);

describe('the cache of the view', () => {
  it('is taken as it is while nothing changes, and gives the same answer', async () => {
    await workspace.fill();
    const first = await workspace.settled();
    const written = inode();
    expect(still(await workspace.look())).toEqual(still(first));
    expect(inode()).toBe(written);
    await expectTrue();
  });

  it('sees an edit of a file in a task directory, of the same length, in the same moment', async () => {
    await workspace.fill();
    expect(titles(await workspace.settled())).toContain('Find the leak');
    const folder = path.join(workspace.root, '.agentmesh', 'tasks');
    const open = fs.readdirSync(folder).map((id) => path.join(folder, id, 'task.yaml'));
    for (const text of ['Find the lamp', 'Find the lock', 'Find the leak']) {
      for (const file of open) {
        const { mtime } = fs.statSync(file);
        fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/Find the (?:leak|lamp|lock)/, text));
        fs.utimesSync(file, mtime, mtime); // as a tool that keeps times would
      }
      expect(titles(await expectTrue())).toContain(text);
    }
  });

  it('sees what is added, moved on, put back and taken away, in every layout', async () => {
    await workspace.fill();
    await workspace.settled();
    await workspace.queue((store) => add(store, 'more').then(() => undefined));
    expect(titles(await expectTrue())).toContain('Title of more');
    const packets = await (await workspace.open()).packets();
    await packets.cancel('p1', {});
    expect((await expectTrue()).layouts[2]?.counts).toEqual({ canceled: 2 });
    const before = path.join(workspace.root, '.tmp', 'task', 'p1');
    fs.renameSync(before, `${workspace.root}/elsewhere`);
    expect((await expectTrue()).layouts[2]?.tasks).toBe(1);
    fs.renameSync(`${workspace.root}/elsewhere`, before);
    expect((await expectTrue()).layouts[2]?.tasks).toBe(2);
    const file = mirrorOf(workspace.root);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('name: open', 'name: odd'));
    await expectTrue();
  });

  it('sees that somebody has put back an earlier journal of a finished task', async () => {
    await workspace.fill();
    const journal = path.join(workspace.root, '.tmp', 'task', 'p2', 'state', 'docket', 'journal.jsonl');
    const lines = fs.readFileSync(journal, 'utf8').trimEnd().split('\n');
    expect((await workspace.settled()).layouts[2]?.counts).toEqual({ queued: 1, canceled: 1 });
    fs.writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n`);
    const view = await expectTrue();
    expect(view.layouts[2]?.counts).toEqual({ queued: 1 }); // what it says of p2 is not true any more
    expect(view.findings.map(({ path: file }) => file)).toContainEqual(expect.stringContaining('p2'));
  });

  it('is worth nothing when it is torn, edited or from elsewhere', async () => {
    await workspace.fill();
    await workspace.settled();
    const whole = fs.readFileSync(workspace.cacheFile);
    const other = new MixedWorkspace();
    await other.queue((store) => add(store, 'theirs').then(() => undefined));
    await other.settled();
    const text = whole.toString('latin1');
    const wrong: (Buffer | string)[] = [
      ...[0, 1, 20, 40, 200, whole.length >> 1, whole.length - 1].map((end) => whole.subarray(0, end)),
      Buffer.alloc(whole.length),
      '{}',
      text.replaceAll('Mend the gate', 'Mend the gaze'),
      text.replaceAll('"queued":1', '"queued":9'),
      fs.readFileSync(other.cacheFile),
    ];
    for (const content of wrong) {
      fs.writeFileSync(workspace.cacheFile, content, 'latin1');
      const view = await expectTrue();
      expect(titles(view)).toContain('Mend the gate');
    }
  });

  it('takes the place of what an older docket kept', async () => {
    await workspace.fill();
    const old = path.join(workspace.root, '.docket', 'view.json');
    fs.writeFileSync(old, 'of an older docket');
    expect(titles(await workspace.look())).toContain('Find the leak');
    expect(fs.existsSync(old)).toBe(false);
  });

  it('is not needed: a place where it cannot be written, or is not made, gives the same answer', async () => {
    await workspace.fill();
    // Neither can the file be made beside it, nor what is in the way be removed.
    fs.mkdirSync(path.join(workspace.root, '.docket', '.seen.jsonl.docket-tmp', 'x'), { recursive: true });
    expect((await workspace.settled()).layouts).toHaveLength(4);
    expect(fs.existsSync(workspace.cacheFile)).toBe(false);
    const board = new MixedWorkspace();
    fs.mkdirSync(path.join(board.root, 'state'));
    const line = {
      eventId: 'e1',
      taskId: 'T-001',
      type: 'task_created',
      actor: 'a',
      payload: { title: 'x' },
    };
    const at = '2026-03-01T08:00:00Z';
    fs.writeFileSync(
      path.join(board.root, 'state', 'tasks.jsonl'),
      `${JSON.stringify({ ...line, at, messageType: '[TASK]' })}\n`,
    );
    expect((await board.settled()).layouts).toEqual([{ layout: 'board', tasks: 1, counts: { queued: 1 } }]);
    expect(fs.readdirSync(board.root)).toEqual(['state']);
  });

  it('asks about time whenever somebody looks', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    await workspace.queue(async (store) => {
      await add(store, 'limited');
      const reason = { kind: 'limit', text: 'too many', who: 'docket', resumesAt: soon } as const;
      await does(store, { type: 'block', id: 'limited', by: 'docket', reason });
    });
    expect((await workspace.settled()).waiting).toMatchObject([{ why: { kind: 'limit', until: soon } }]);
    const later = await workspace.viewer(() => Date.now() + 7_200_000).look();
    expect(later.waiting[0]?.why).toMatchObject({ text: expect.stringContaining('that is over') });
    expect(later.waiting[0]?.why.until).toBeUndefined();
  });
});
