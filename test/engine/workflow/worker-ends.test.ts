import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../support/published-schema.ts';
import { treeOf } from '../../support/scratch.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

const ends: Record<string, [status: string, why: string]> = {
  success: ['success', ''],
  blocked: ['blocked', 'Which way for blocked?'],
  failed: ['failed', 'the build is broken'],
  garbage: ['failed', 'no valid report'],
  silent: ['failed', 'the agent exited 0 without a report'],
  exit3: ['failed', 'the machine is on fire'],
  hang: ['failed', 'it took longer than it may'],
  crash: ['failed', 'crashed'],
  huge: ['success', ''],
  traverse: ['success', ''],
};

const ours = [/^root\/\.(docket|agentmesh)\//, /^home\/\.local(\/state(\/docket.*)?)?$/];

describe.each(['codex-exec', 'codex-app-server'])('the ends of workers on %s', (adapter) => {
  it('are their own: the others and the join come to no harm', async () => {
    const project = await TaskProject.created();
    const tasks = Object.keys(ends).map((act) =>
      subtask(act, act, { adapter, ...(act === 'hang' && { timeoutSeconds: 1 }) }),
    );
    const around = treeOf(path.dirname(project.root));
    const { task } = await project.run(actions(...tasks), { parallel: 10 });
    expect(task.status).toBe('blocked');
    expect(project.finals()).toEqual(
      Object.fromEntries(Object.entries(ends).map(([act, [status]]) => [act, status])),
    );
    for (const [act, [, why]] of Object.entries(ends)) {
      const final = project.data(`agents/${act}/artifacts/final.json`);
      expect(faultsOf('worker-output', final)).toEqual([]);
      expect(JSON.stringify([final['errors'], final['questions'], final['summary']])).toContain(why);
    }
    const workers = project.list('shared/reports/joined-summary.json', 'workers');
    expect(workers.map(({ agentInstance }) => agentInstance)).toEqual(Object.keys(ends));
    expect(project.leftovers()).toEqual([]);
    expect(
      (await (await project.tasks()).validate(project.id)).filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
    // Nothing was made but in docket's two folders and the user's own account book, whatever the answers said.
    const made = Object.keys(treeOf(path.dirname(project.root))).filter((name) => !(name in around));
    expect(made.filter((name) => !ours.some((pattern) => pattern.test(name)))).toEqual([]);
  });
});

it('what is huge is kept whole in its log, and cut where people read', async () => {
  const project = await TaskProject.ran(subtask('one', 'huge'));
  expect(fs.statSync(path.join(project.dir, 'agents/one/runtime/events.jsonl')).size).toBeGreaterThan(
    8 << 20,
  );
  expect(project.text('agents/one/artifacts/final.json').length).toBeLessThan(4000);
  expect(project.text('events.jsonl').length).toBeLessThan(40_000);
});

it('a session id that is a path is not taken over', async () => {
  const project = await TaskProject.ran(subtask('one', 'traverse'));
  expect(project.data('agents/one/session.json')['vendorSession']).toMatchObject({ threadId: null });
});

it('one that hangs is ended with all that it had started', async () => {
  const project = await TaskProject.ran(subtask('one', 'hang', { timeoutSeconds: 1 }), subtask('two'));
  expect(project.finals()).toEqual({ one: 'failed', two: 'success' });
  expect(project.leftovers()).toEqual([]);
  expect(
    project.log('agent.attempt.ended').find(({ agentInstance }) => agentInstance === 'one')?.['payload'],
  ).toMatchObject({ outcome: 'failed' });
});
