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
