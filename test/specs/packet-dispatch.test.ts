import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PacketProject, type Scenario } from '../support/packet-project.ts';

const task = ['--task', '.tmp/task/p-1'];
const dispatched = async (project: PacketProject, ...args: string[]) =>
  (await project.docket('packet', 'dispatch', ...args)).code;

describe('docket packet dispatch, in the place of the original', () => {
  it('ends with 0 when all stages are done, and with 1 when one failed', async () => {
    const project = await PacketProject.with('review_cross', { codex_review: [{ say: 'Fine.' }, {}] });
    expect(await dispatched(project, 'pipeline', ...task)).toBe(1);
    expect(project.called()).toEqual(['gemini_review', 'codex_review']);
    expect(await dispatched(project, 'pipeline', ...task, '--plan', 'auto', '--odd')).toBe(0);
    expect(project.called().slice(2)).toEqual(['codex_review', 'copilot_review_consolidate']);
  });

  it('runs a single stage', async () => {
    const project = await PacketProject.with('review_cross');
    expect(await dispatched(project, 'single', ...task, '--stage', 'codex_review')).toBe(0);
    expect(project.called()).toEqual(['codex_review']);
  });

  it('ends with 1 when the budget is spent, and with 2 when it is called wrongly', async () => {
    const project = await PacketProject.with('review_only');
    project.set('paid_call_budget', 0);
    expect(await dispatched(project, 'pipeline', ...task)).toBe(1);
    const wrong = [
      ['single', ...task],
      ['pipeline'],
      ['both', ...task],
      ['pipeline', '--task', '.tmp/task/p-9'],
    ];
    for (const args of wrong) expect([args, await dispatched(project, ...args)]).toEqual([args, 2]);
    expect(project.calls()).toEqual([]);
  });
});

describe('a packet in another folder of the project', () => {
  /** Where it is, and a project with a packet there. */
  async function elsewhere(folder: string, intent = 'safe_impl'): Promise<PacketProject> {
    const project = await PacketProject.with(intent);
    fs.mkdirSync(path.join(project.root, path.dirname(folder)), { recursive: true });
    fs.renameSync(project.dir, path.join(project.root, folder));
    return project;
  }

  it.each(['work/p-1', '.tmp/post-impl/p-1'])('%s is dispatched, and found by its id', async (folder) => {
    const project = await elsewhere(folder);
    expect(await dispatched(project, 'pipeline', '--task', folder)).toBe(0);
    expect(project.called()).toEqual(['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review']);
    const packets = await project.packets();
    expect(await packets.show('p-1')).toMatchObject({ status: 'done', dir: folder });
    expect((await packets.list()).packets).toMatchObject([{ id: 'p-1', dir: folder }]);
    expect(fs.existsSync(path.join(project.root, folder, 'done/gemini_review.done'))).toBe(true);
    expect(await dispatched(project, 'pipeline', '--task', folder)).toBe(0);
    expect(project.calls()).toHaveLength(4);
  });

  it('has files that its agents must not change either', async () => {
    const project = await elsewhere('work/p-1', 'review_only');
    project.play({ gemini_review: [{ shell: 'echo x >> work/p-1/inputs/user_request.md' }] });
    expect(await dispatched(project, 'pipeline', '--task', 'work/p-1')).toBe(1);
    expect(project.read('work/p-1/inputs/user_request.md')).toBe('Greet politely\n');
  });

  it.each([
    ['outside of it', '../p-1'],
    ['the project itself', '.'],
    ['a folder of git', '.git/p-1'],
    ['a folder of docket', '.docket/p-1'],
    ['a folder of the board', 'state/locks/p-1'],
    ['a link', 'link/p-1'],
    ['without a manifest', 'src'],
    ['of no good name', 'work/-p'],
  ])('is refused: %s', async (_, folder) => {
    const project = await elsewhere('work/p-1');
    for (const name of ['.git', '.docket', 'state/locks', '..', '.'])
      fs.cpSync(
        path.join(project.root, 'work/p-1'),
        path.join(project.root, name, name === '.' ? 'x' : 'p-1'),
        {
          recursive: true,
        },
      );
    fs.cpSync(path.join(project.root, 'work/p-1'), path.join(project.root, 'work/-p'), { recursive: true });
    fs.symlinkSync('work', path.join(project.root, 'link'));
    expect(await dispatched(project, 'pipeline', '--task', folder)).toBe(2);
    expect(project.calls()).toEqual([]);
  });

  it('is found also where a note about another one cannot be read', async () => {
    const project = await elsewhere('work/p-1', 'review_only');
    expect(await dispatched(project, 'pipeline', '--task', 'work/p-1')).toBe(0);
    fs.mkdirSync(path.join(project.root, '.docket/packet-places/p-2'));
    fs.writeFileSync(path.join(project.root, '.docket/packet-places/p-3'), Buffer.alloc(9000, 'x'));
    const { packets } = await (await project.packets()).list();
    expect(packets.map(({ id }) => id)).toEqual(['p-1']);
  });

  it('does not take the place of one with the same id', async () => {
    const project = await elsewhere('work/p-1', 'review_only');
    await project.make('review_only');
    expect(await dispatched(project, 'pipeline', '--task', 'work/p-1')).toBe(2);
    expect(await dispatched(project, 'pipeline', ...task)).toBe(0);
  });
});

describe('docket packet run', () => {
  it.each<[number, Record<string, number>, Scenario]>([
    [5, { paid_call_budget: 0 }, {}],
    [1, {}, { gemini_review: [{ say: 'Fine.' }] }],
    [124, { max_wallclock_sec: 1, retry_budget: 0 }, { gemini_review: [{ hang: true }] }],
    [0, {}, {}],
  ])('ends with %i', async (code, budgets, scenario) => {
    const project = await PacketProject.with('review_only', scenario);
    for (const [key, value] of Object.entries(budgets)) project.set(key, value);
    const { code: ended, out } = await project.docket('packet', 'run', 'p-1', '--json');
    expect(ended).toBe(code);
    const answer = JSON.parse(out) as Record<string, unknown>;
    expect(answer).toMatchObject({ ok: code === 0, id: 'p-1', summary: '.tmp/task/p-1/outputs/_summary.md' });
  });
});
