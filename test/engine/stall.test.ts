import { expect, it } from 'vitest';
import { Project } from '../support/project.ts';

const report = { report: { status: 'success', summary: 'it is done' } };
const hangs = [{ say: 'hm' }, { hang: true }];

it('a stalled agent goes on in its session, once; then the task is blocked, and says what was seen', async () => {
  const limits = { silenceSeconds: 1, toolSilenceSeconds: 60, graceSeconds: 0.3 };
  const project = new Project({
    agents: { actor: { adapter: 'script', command: ['scenario.yaml'], permission: 'full', limits } },
    defaultAgent: 'actor',
  });
  const rules = [
    { when: 'sleepy please', turns: [hangs, [report]] },
    { when: 'dead please', turns: [hangs, hangs] },
  ];
  project.write('scenario.yaml', JSON.stringify({ rules }));
  project.queue(['sleepy', 'dead'], false);
  expect((await project.docket('run')).code).toBe(5);

  const tasks = (await project.json('list')).tasks as unknown as Listed[];
  expect(tasks.map(({ status, reason }) => [status, reason?.kind])).toEqual([
    ['done', undefined],
    ['blocked', 'stall'],
  ]);
  const seen =
    /silent for longer.*: no event or output for .*"text" at 20.*no tool was open; its \d+ processes used/;
  expect(tasks[1]?.reason?.text).toMatch(seen);
  for (const { id } of tasks) {
    const started = project.events('attempt.started').filter(({ taskId }) => taskId === id);
    expect(started).toHaveLength(2);
    expect(new Set(started.map(({ data }) => data['session'])).size).toBe(1);
    const second = project.read(`.docket/queue/attempts/${id}/work/2/prompt`);
    expect(second).toMatch(/^Your last turn was interrupted/);
  }
  const [first] = project.events('attempt.ended');
  expect(first?.data).toMatchObject({
    outcome: 'failed',
    error: { class: 'stall', message: expect.stringMatching(seen) },
  });
  expect(project.leftovers()).toEqual([]);
});

interface Listed {
  id: string;
  status: string;
  reason?: { kind: string; text: string };
}
