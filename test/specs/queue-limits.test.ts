import { describe, expect, it } from 'vitest';
import { Recorder } from '../../src/engine/recorder.ts';
import { ownIdentity } from '../../src/io/identity.ts';
import { newMark } from '../../src/io/process/mark.ts';
import { executeTogether } from '../../src/store/execute.ts';
import type { Command } from '../../src/task/command.ts';
import { Project } from '../support/project.ts';
import { openStore } from '../support/scratch.ts';

const report = { report: { status: 'success', summary: 'it is done' } };
const used = { usage: { input: 100, output: 10, cost: 0.4 } };

/** Agents that do what a scenario says, each of a provider of its own. */
function project(rules: readonly object[], settings: object = {}): Project {
  const agents = ['one', 'two'].map((name) => [
    name,
    { adapter: 'script', command: ['scenario.yaml'], permission: 'full', provider: name },
  ]);
  const made = new Project({ agents: Object.fromEntries(agents), defaultAgent: 'one', ...settings });
  made.write('scenario.yaml', JSON.stringify({ rules }));
  made.git('add', '.');
  made.git('commit', '--quiet', '-m', 'scenario');
  return made;
}

interface Told {
  tasks: { name: string; status: string; task: { reason?: Reason }; attempt?: { agent: string } }[];
}
interface Reason {
  kind: string;
  text: string;
  who: string;
  resumesAt?: string;
  provider?: string;
}

async function ran(made: Project, ...args: string[]): Promise<Told & { code: number | null }> {
  const { code, out } = await made.docket('run', ...args, '--json');
  return { code, ...(JSON.parse(out) as Told) };
}

/** Docket wrote down that it calls, saw that its provider is left alone again, and gave it back. */
async function beginsInVain(made: Project): Promise<void> {
  const store = await openStore(made.root);
  const id = made.events('task.created')[0]?.taskId ?? '';
  const owner = 'test';
  const lease = { kind: 'process', ...ownIdentity() } as const;
  const now = new Date().toISOString();
  const moves: Command[] = [
    { type: 'requeue', id, by: owner, reason: 'it may go on' },
    { type: 'start', id, by: owner, owner, lease },
  ];
  const done = await executeTogether(store, id, moves, now);
  if (!done.ok || done.task.status !== 'running') throw new Error('it was not taken');
  const recorder = new Recorder(store, done.task, owner, () => Date.now());
  const { agent = '', adapter = '', session = '' } = recorder.attempt('work') ?? {};
  const about = { step: 'work', agent, adapter, session, mark: newMark() };
  const n = await recorder.begin(about, () => true);
  if (n === undefined) throw new Error('it was not begun');
  await recorder.uncalled('work', n);
  await recorder.write({ type: 'requeue', reason: 'its provider is left alone' });
  await store.close();
}

const byText = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : 1);
const sessions = (made: Project) => made.events('attempt.started').map(({ data }) => data['session']);

describe('a limit of a provider', { timeout: 120_000 }, () => {
  it('is waited for across a restart, and the same conversation goes on', async () => {
    const made = project([{ when: 'tired', turns: [[{ limit: { in: 2 } }], [report]] }, { steps: [report] }]);
    made.queue(['tired', 'a', 'b', 'c'], true);
    const first = await ran(made, '--concurrency', '2');
    const tired = first.tasks.find(({ name }) => name === 'tired');
    expect([first.code, tired?.status]).toEqual([75, 'blocked']);
    expect(tired?.task.reason).toMatchObject({ kind: 'limit', who: 'docket', provider: 'one' });

    const killed = made.start('run', '--wait');
    await new Promise((resolve) => setTimeout(resolve, 700));
    killed.kill('SIGKILL');
    await new Promise((resolve) => killed.once('exit', resolve));
    expect((await ran(made, '--wait', '--concurrency', '4')).code).toBe(0);

    const { tasks } = await made.json('list');
    expect(tasks.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done']);
    const ofTired = made
      .events('attempt.started')
      .filter(({ taskId }) => taskId === tasks.find(({ title }) => title.startsWith('tired'))?.id);
    expect(new Set(ofTired.map(({ data }) => data['session'])).size).toBe(1);
    const calls = made.events('attempt.ended').filter(({ data }) => data['uncalled'] === undefined);
    expect(calls.map(({ data }) => data['outcome']).toSorted(byText)).toEqual([
      'failed',
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    const { out } = await made.docket('limits', '--json');
    expect(JSON.parse(out)).toMatchObject({ limits: [] });
  });

  it('goes on in the same conversation also after a call that was written down and never made', async () => {
    const made = project([{ when: 'tired', turns: [[{ limit: { in: 1 } }], [report]] }, { steps: [report] }]);
    made.queue(['tired'], true);
    expect((await ran(made)).code).toBe(75);
    await beginsInVain(made);
    expect((await ran(made, '--wait')).code).toBe(0);
    expect(sessions(made)).toHaveLength(3);
    expect(new Set(sessions(made)).size).toBe(1);
  });

  it('lets the others go on, and holds back who comes later without a call', async () => {
    const made = project([{ when: 'tired', steps: [{ limit: { in: 3600 } }] }, { steps: [report] }]);
    made.queue(['tired', 'later'], true);
    await made.docket('add', 'other please', '--agent', 'two');
    const { tasks } = await ran(made);
    expect(tasks.map(({ status }) => status)).toEqual(['blocked', 'blocked', 'done']);
    expect(made.events('attempt.started')).toHaveLength(2);
    const { out } = await made.docket('list');
    expect(out.match(/blocked .*limit, resumes [-\d ]*\d\d:\d\d/g)).toHaveLength(2);
  });

  it('has somebody stand in where the settings say who', async () => {
    const made = project(
      [{ step: 'work', attempt: 1, steps: [{ limit: { in: 3600 } }] }, { steps: [report] }],
      {
        fallback: ['two'],
      },
    );
    made.queue(['job'], true);
    const { code, tasks } = await ran(made);
    expect([code, tasks[0]?.status, tasks[0]?.attempt?.agent]).toEqual([0, 'done', 'two']);
    expect(new Set(sessions(made)).size).toBe(2);
  });
});

describe('a budget', { timeout: 60_000 }, () => {
  it('of a day is shared by tasks at once, says what was spent, and goes on when it is raised', async () => {
    const made = project([{ steps: [used, report] }], { budgets: { day: { money: 1 } } });
    made.queue(['a', 'b', 'c', 'd', 'e'], true);
    const { code, tasks } = await ran(made, '--concurrency', '4');
    expect([code, tasks.filter(({ status }) => status === 'done').length]).toEqual([5, 3]);
    const held = tasks.find(({ status }) => status === 'blocked');
    expect(held?.task.reason).toMatchObject({ kind: 'budget', who: 'a person' });
    expect(held?.task.reason?.text).toContain('$1.20 of $1.00');
    expect(held?.task.reason?.text).toContain('docket budget set day.money NUMBER');
    expect((await made.docket('budget', 'set', 'day.money', '10')).code).toBe(0);
    expect((await ran(made)).code).toBe(0);
    const cost = JSON.parse((await made.docket('cost', '--by', 'provider', '--json')).out) as {
      rows: { key: string; used: { calls: number; money: number } }[];
    };
    expect(cost.rows).toMatchObject([{ key: 'one', used: { calls: 5, money: 2 }, open: 0, lost: 0 }]);
  });

  it('on money refuses a call whose price nobody knows, unless it may', async () => {
    const made = new Project({
      agents: { sh: { adapter: 'command', command: ['/bin/true'] } },
      defaultAgent: 'sh',
      budgets: { task: { money: 1 } },
    });
    made.queue(['a'], true);
    const { code, tasks } = await ran(made);
    expect([code, tasks[0]?.task.reason?.kind, made.events('attempt.started').length]).toEqual([
      5,
      'budget',
      0,
    ]);
    expect(tasks[0]?.task.reason?.text).toContain('unknownPrice: allow');
  });

  it('that is reached before an agent hears what it has to mend: it hears it later, in the same conversation', async () => {
    const untrue = { report: { ...report.report, changes: ['never.txt: made'] } };
    const turns = [[untrue], [{ edit: { path: 'never.txt', write: '{{prompt}}' } }, untrue]];
    const made = project([{ turns }], { budgets: { day: { calls: 1 } } });
    made.queue(['liar'], true);
    expect((await ran(made)).tasks[0]?.task.reason?.text).toContain('day.calls: 1 of 1 calls');
    expect((await made.docket('budget', 'set', 'day.calls', '10')).code).toBe(0);
    expect(await ran(made, 'liar')).toMatchObject({ code: 0, tasks: [{ status: 'done' }] });
    expect(sessions(made)).toHaveLength(2);
    expect(new Set(sessions(made)).size).toBe(1);
    const { out } = await made.docket('diff', 'liar');
    expect(out).toContain('never.txt: it does not exist');
    expect(out).not.toContain('Task:');
  });

  it('of a call ends it, and of a task allows no further one', async () => {
    const made = project(
      [
        { when: 'greedy', steps: [{ usage: { input: 900, output: 200 } }, { wait: 60 }, report] },
        { steps: [report] },
      ],
      { budgets: { attempt: { tokens: 1000 }, task: { calls: 1 } } },
    );
    made.queue(['greedy', 'modest'], true);
    const { tasks } = await ran(made);
    expect(tasks.map(({ status }) => status)).toEqual(['blocked', 'done']);
    expect(tasks[0]?.task.reason?.text).toContain('attempt.tokens: 1100 of 1000 tokens');
    expect(made.leftovers()).toEqual([]);
    const again = await ran(made, 'greedy');
    expect(again.tasks[0]?.task.reason?.text).toContain('task.calls: 1 of 1 calls');
  });
});
