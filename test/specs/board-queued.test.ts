import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BridgeProject } from '../support/bridge-project.ts';
import { report } from '../support/shell-project.ts';

const polite = `echo polite > a.txt; ${report({ summary: 'It is polite; the test passes', changes: ['a.txt: polite'] })}`;

async function withTask(script: string): Promise<BridgeProject> {
  const at = new BridgeProject(script);
  await at.say('create task: Make it polite');
  return at;
}

describe('a task of the board that is queued', () => {
  it('is claimed while it waits, in progress while it runs, and done with the evidence of the queue', async () => {
    const at = await withTask(polite);
    fs.mkdirSync(path.join(at.root, 'config'));
    const roles = { coder: { verifyCommands: ['grep -q polite a.txt'] } };
    at.write('config/acceptance-policy.json', JSON.stringify({ global: {}, roles }));
    const task = await at.add({ worktree: true });
    expect(task).toMatchObject({ title: 'Make it polite', standsFor: { layout: 'board', id: 'T-001' } });
    expect(await at.board()).toMatchObject({ status: 'claimed', owner: 'docket' });
    await at.run();
    const { status, result } = await at.board();
    expect([status, result]).toEqual(['done', expect.stringContaining('It is polite; the test passes')]);
    // Proved in the clone: nobody has merged its branch yet.
    expect(at.read('a.txt')).toBe('one\n');
    expect(result).toMatch(/branch takt\/\S+, commit [0-9a-f]{12}; grep -q polite a\.txt \(exit code 0\)/);
    expect(result).toContain(task.id);
    expect(at.lines()).toEqual([
      'task_created',
      'task_claimed claimed',
      'task_claimed in_progress',
      'task_done done',
    ]);
  });

  it('is blocked with the reason when that fails, and goes on with a retry', async () => {
    const at = await withTask(`[ -e "$CUES/mended" ] || { echo broken >&2; exit 3; }; ${polite}`);
    const { id } = await at.add();
    await at.run();
    const blocked = await at.board();
    expect(blocked).toMatchObject({
      status: 'blocked',
      blockedReason: expect.stringContaining(id) as string,
    });
    expect(blocked.blockedReason).toContain(`docket show ${id}`);
    at.cue('mended');
    await at.act('retry', id);
    expect(await at.board()).toMatchObject({ status: 'claimed', owner: 'docket' });
    await at.run();
    expect((await at.board()).status).toBe('done');
  });

  it('may be queued again when the first try ended badly', async () => {
    const at = await withTask(report({ status: 'failed' }));
    const { id } = await at.add();
    await at.run();
    expect((await at.add()).id).not.toBe(id);
    expect(await at.board()).toMatchObject({ status: 'claimed', owner: 'docket' });
  });

  it('is left to whoever took it meanwhile, and the queue does nothing', async () => {
    const at = await withTask(polite);
    const { id } = await at.add();
    await at.say('claim T-001 --steal', 'ann');
    await at.run();
    expect(at.begun()).toEqual([]);
    expect(await at.board()).toMatchObject({ status: 'claimed', owner: 'ann' });
    const [task] = (await at.use((docket) => docket.list({}))).tasks;
    expect(task).toMatchObject({ id, status: 'blocked' });
  });

  it('that its gate does not take is blocked with what is missing', async () => {
    const at = await withTask(`echo polite > a.txt; ${report({ summary: 'It is polite' })}`);
    await at.add();
    await at.run();
    const { status, blockedReason } = await at.board();
    expect([status, blockedReason]).toEqual(['blocked', expect.stringContaining('pytest')]);
    const lines = at.lines().length;
    await at.run(); // what was told is not told again
    expect(at.lines()).toHaveLength(lines);
  });
});
