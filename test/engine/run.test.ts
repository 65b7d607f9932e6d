import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Project, until } from '../support/project.ts';

interface Story {
  /** What the agent does when its task is called so. */
  steps?: unknown[];
  turns?: unknown[][];
}

const report = (fields: object = {}) => ({ report: { status: 'success', summary: 'it is done', ...fields } });

/** A project whose one agent is scripted: for each task what it does, turn by turn. */
function scripted(stories: Record<string, Story>, settings: object = {}): Project {
  const project = new Project({
    agents: { actor: { adapter: 'script', command: ['scenario.yaml'], permission: 'full', ...settings } },
    defaultAgent: 'actor',
  });
  const rules = Object.entries(stories).map(([name, story]) => ({ when: `${name} please`, ...story }));
  project.write('scenario.yaml', JSON.stringify({ rules }));
  project.queue(Object.keys(stories), false);
  return project;
}

async function ran(project: Project): Promise<{ code: number | null; tasks: Record<string, Ran> }> {
  const { code, out } = await project.docket('run', '--json');
  const { tasks } = JSON.parse(out) as { tasks: (Ran & { name: string })[] };
  return { code, tasks: Object.fromEntries(tasks.map((task) => [task.name, task])) };
}

interface Ran {
  status: string;
  task: {
    id: string;
    summary?: string;
    reason?: { kind: string; text: string; resumesAt?: string; who: string };
    failure?: { error: string };
  };
  attempt: { n: number; session: string; end: { outcome: string; usage?: object } };
}

describe('docket run', { timeout: 60_000 }, () => {
  it('brings each task to the end that its agent and its tree justify', async () => {
    const project = scripted({
      good: {
        steps: [
          { edit: { path: 'good.txt', write: 'x' } },
          { usage: { input: 10, output: 2, cached: 4, cost: 0.5 } },
          report(),
        ],
      },
      stuck: { steps: [report({ status: 'blocked', questions: ['which one?'] })] },
      bad: { steps: [report({ status: 'failed', errors: ['tests fail'] })] },
      shy: { steps: [{ say: 'I did it, trust me' }] },
      wanderer: { steps: [{ run: 'git switch --quiet --create elsewhere' }, report()] },
      tired: { steps: [{ limit: { in: 3600 } }] },
      // The limit is its provider's: nobody asks again before it ends.
      later: { steps: [report()] },
    });
    const { code, tasks } = await ran(project);
    expect(code).toBe(1);
    const reasons = Object.entries(tasks).map(([name, { status, task }]) =>
      `${name}: ${status} ${task.reason?.kind ?? ''}`.trim(),
    );
    expect(reasons).toEqual([
      'good: done',
      'stuck: blocked gate',
      'bad: failed',
      'shy: blocked verify',
      'wanderer: blocked conflict',
      'tired: blocked limit',
      'later: blocked limit',
    ]);
    expect(tasks['good']?.attempt.end).toMatchObject({
      outcome: 'ok',
      usage: { input: 10, cached: 4, output: 2, cost: 0.5 },
    });
    expect(tasks['tired']?.task.reason).toMatchObject({
      who: 'docket',
      resumesAt: expect.stringMatching(/^20/) as string,
    });
    const kept = path.join(
      project.root,
      '.docket/queue/attempts',
      tasks['good']?.task.id ?? '',
      'work/1/report.json',
    );
    expect(JSON.parse(fs.readFileSync(kept, 'utf8'))).toMatchObject({
      status: 'success',
      summary: 'it is done',
    });
    expect(project.events('attempt.ended')[0]?.data).toMatchObject({ report: { status: 'success' } });
    expect(project.leftovers()).toEqual([]);
  });

  it('asks once more for a report, in the same session', async () => {
    const project = scripted({
      sloppy: { turns: [[{ say: 'done!' }], [report({ summary: 'now in form' })]] },
    });
    const { code, tasks } = await ran(project);
    expect([code, tasks['sloppy']?.task.summary]).toEqual([0, 'now in form']);
    const sessions = project.events('attempt.started').map(({ data }) => data['session']);
    expect(sessions).toHaveLength(2);
    expect(new Set(sessions).size).toBe(1);
    const second = project.read(`.docket/queue/attempts/${tasks['sloppy']?.task.id}/work/2/prompt`);
    expect(second).toContain('no valid report');
    expect(second).not.toContain('sloppy please');
  });

  it('tries again after a crash, in the same session and with a short prompt', async () => {
    const project = scripted({ fragile: { turns: [[{ say: 'working' }, { die: true }], [report()]] } });
    const { code, tasks } = await ran(project);
    expect([code, tasks['fragile']?.attempt.n]).toEqual([0, 2]);
    expect(project.events('attempt.ended').map(({ data }) => data['outcome'])).toEqual(['failed', 'ok']);
    expect(new Set(project.events('attempt.started').map(({ data }) => data['session'])).size).toBe(1);
    expect(project.read(`.docket/queue/attempts/${tasks['fragile']?.task.id}/work/2/prompt`)).toMatch(
      /^Your last turn was interrupted/,
    );
  });

  it('gives up on what crashes every time', async () => {
    const { code, tasks } = await ran(scripted({ broken: { steps: [{ exit: 3 }] } }));
    expect([code, tasks['broken']?.status, tasks['broken']?.task.reason?.kind]).toEqual([
      5,
      'blocked',
      'crash',
    ]);
    expect(tasks['broken']?.attempt.n).toBe(3);
  });

  it('ends a silent agent, but not a silent tool', async () => {
    const limits = { silenceSeconds: 1, toolSilenceSeconds: 60, graceSeconds: 1 };
    const project = scripted(
      { builder: { steps: [{ run: 'sleep 3' }, report()] }, dead: { steps: [{ hang: true }] } },
      { limits },
    );
    const { tasks } = await ran(project);
    expect([tasks['builder']?.status, tasks['dead']?.task.reason?.kind]).toEqual(['done', 'stall']);
    expect(project.leftovers()).toEqual([]);
  });

  it('ends what takes too long', async () => {
    const project = scripted(
      { slow: { steps: [{ run: 'sleep 60' }, report()] } },
      { limits: { seconds: 1, graceSeconds: 1 } },
    );
    const { code, tasks } = await ran(project);
    expect([code, tasks['slow']?.status]).toEqual([1, 'failed']);
    expect(tasks['slow']?.task.failure?.error).toContain('timeout');
    expect(project.leftovers()).toEqual([]);
  });

  it('holds an agent to reading, whatever it tries', async () => {
    const project = scripted(
      { nosy: { steps: [{ edit: { path: 'a.txt', write: 'mine' } }, report()] } },
      { permission: 'read' },
    );
    const { tasks } = await ran(project);
    expect([tasks['nosy']?.status, project.read('a.txt')]).toEqual(['done', 'one\n']);
  });

  it('continues the session of work that was interrupted', async () => {
    const project = scripted({ long: { turns: [[{ say: 'half way' }, { hang: true }], [report()]] } });
    const first = project.start('run');
    await until('its output', () => {
      const [attempt] = project.events('attempt.started');
      const file = path.join(
        project.root,
        '.docket/queue/attempts',
        attempt?.taskId ?? '',
        'work/1/events.jsonl',
      );
      return fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes('half way');
    });
    first.kill('SIGTERM');
    await new Promise((resolve) => first.once('exit', resolve));
    const { code, tasks } = await ran(project);
    expect([code, tasks['long']?.status, tasks['long']?.attempt.n]).toEqual([0, 'done', 2]);
    expect(new Set(project.events('attempt.started').map(({ data }) => data['session'])).size).toBe(1);
  });

  it('tries again what is named and has failed; what waits at a gate is to be answered', async () => {
    const project = scripted({
      stuck: { turns: [[report({ status: 'blocked' })], [report()]] },
      bad: { turns: [[report({ status: 'failed' })], [report()]] },
    });
    expect((await ran(project)).code).toBe(1);
    expect((await project.docket('run', '--json')).out).toContain('"tasks":[]');
    const waits = await project.docket('run', 'stuck', '--json');
    expect([waits.code, waits.out]).toEqual([5, expect.stringContaining('docket gate approve')]);
    const { out, code } = await project.docket('run', 'bad', '--json');
    expect(code).toBe(1); // it begins anew, in a session of its own, and says the same again
    expect((JSON.parse(out) as { tasks: unknown[] }).tasks).toHaveLength(1);
  });

  it('asks for its agent before it touches the queue', async () => {
    const project = scripted({ one: { steps: [report()] } });
    const { code, out } = await project.docket('run', '--agent', 'codex', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([
      3,
      { error: { message: expect.stringContaining('"codex" is not on PATH') as string } },
    ]);
    expect(project.events('task.started')).toEqual([]);
  });

  it('refuses before it starts anything', async () => {
    const project = scripted({ one: { steps: [report()] } });
    for (const [args, code, said] of [
      [['--agent', 'nobody'], 3, 'there is no agent "nobody"'],
      [['two'], 3, 'there is no task "two"'],
      [['--parallel', '0'], 2, 'from 1 to 64'],
    ] as const) {
      const { code: exit, out } = await project.docket('run', ...args, '--json');
      const { error } = JSON.parse(out) as { error: { message: string } };
      expect([exit, error.message]).toEqual([code, expect.stringContaining(said)]);
    }
    const plan = await project.json('run', '--dry-run');
    expect(plan.tasks).toMatchObject([
      {
        name: 'one',
        workflow: 'quick',
        begins: 'work',
        steps: [{ step: 'work', agent: 'actor', adapter: 'script', permission: 'full' }],
      },
    ]);
    expect(project.read('.takt/tasks.yaml')).toContain('status: pending');
  });
});
