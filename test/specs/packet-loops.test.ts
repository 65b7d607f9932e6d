import { expect, it } from 'vitest';
import { openDocket } from '../../src/project/docket.ts';
import type { Explanation } from '../../src/render/explain/types.ts';
import { PacketProject, type Act } from '../support/packet-project.ts';

const same: Act = { stderr: 'cannot find the greeting\n', exit: 3 };

async function reviewed(acts: readonly Act[]): Promise<PacketProject> {
  const project = await PacketProject.with('codex_only', { codex_review: acts }, { commands: [] });
  project.set('retry_budget', '5');
  return project;
}

it('a stage that fails in the same way three times is held, before its retries are used up', async () => {
  const project = await reviewed([same]);
  const { status } = await project.run();
  expect([status, project.called().length]).toEqual(['blocked', 3]);
  expect(project.text('outputs/_summary.md')).toMatch(/codex_review ended 3 times/);
  // Who runs it again has looked.
  await project.run();
  expect(project.called()).toHaveLength(6);
});

it('one that fails in another way each time is not', async () => {
  const ways = ['first', 'second', 'third', 'last'].map((part): Act => ({
    stderr: `no ${part} part\n`,
    exit: 3,
  }));
  expect((await (await reviewed([...ways, {}])).run()).status).toBe('done');
});

it('a stage that makes the tree go back and forth is held, and the last two changes can be seen', async () => {
  const makes = (text: string): Act => ({
    edit: { 'src/app.txt': `${text}\n` },
    stderr: `no ${text}\n`,
    exit: 3,
  });
  const acts = [makes('Good day'), makes('Hello'), makes('Good day')];
  const project = await PacketProject.with('safe_impl', { codex_impl: acts });
  project.set('retry_budget', '5');
  expect((await project.run()).status).toBe('blocked');
  const { kind, cause, loop, next } = await explained(project);
  expect({ kind, cause }).toMatchObject({ kind: 'packet', cause: { kind: 'loop' } });
  expect(loop).toMatchObject({ pattern: 'swing', steps: ['codex_impl', 'codex_impl', 'codex_impl'] });
  expect(loop?.diffs.map(({ patch }) => patch.split('\n').filter((line) => /^[-+]\w/.test(line)))).toEqual([
    ['-Good day', '+Hello'],
    ['-Hello', '+Good day'],
  ]);
  expect(next.at(-1)?.words).toEqual(['packet', 'resume', 'p-1']);
});

async function explained({ root, env, id }: PacketProject): Promise<Explanation> {
  const docket = await openDocket({ cwd: root, root, env });
  try {
    return await docket.explain(id);
  } finally {
    await docket.close();
  }
}
