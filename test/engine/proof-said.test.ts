import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ProofProject } from '../support/proof-project.ts';

const { signal } = new AbortController();

async function ran(project: ProofProject, ...tasks: string[]) {
  const [done] = await project.with((docket) => docket.run({ signal, ...(tasks.length > 0 && { tasks }) }));
  const { found } = await project.with((docket) => docket.evidence('one', {}));
  const notes = found.entries.flatMap(({ kind, what, note }) =>
    kind === 'tree' && what === '.' ? note : [],
  );
  return { status: done?.task.status, unseen: done?.unseen, note: notes.at(-1) };
}

it('a check of its workflow on the same tree is a command that checked it', async () => {
  const project = new ProofProject('echo x > made.txt', {}, []);
  const step = {
    name: 'work',
    instruction: 'do it',
    edit: true,
    rules: [{ condition: 'done', next: 'check' }],
  };
  const checks = {
    name: 'check',
    kind: 'checks',
    commands: ['test -e made.txt'],
    rules: [
      { condition: 'passed', next: 'COMPLETE' },
      { condition: 'failed', next: 'ABORT' },
    ],
  };
  fs.mkdirSync(path.join(project.root, '.takt/workflows'), { recursive: true });
  project.write('.takt/workflows/own.yaml', JSON.stringify({ name: 'own', steps: [step, checks] }));
  await project.with((docket) => docket.add({ text: 'one', name: 'one', workflow: 'own' }));
  expect(await ran(project)).toMatchObject({ status: 'done', unseen: undefined });
});

it('what a person mended in its workspace is not said to be nothing', async () => {
  const project = new ProofProject('test "$((CALL))" -gt 1 || echo bad > bad.txt', {}, [
    'test -e good.txt && test ! -e bad.txt',
  ]);
  project.queue(['one'], true);
  expect((await ran(project)).status).toBe('blocked');
  const [clone = ''] = fs.readdirSync(path.join(project.root, '.docket/queue/clones'));
  const inClone = (name: string) => path.join(project.root, '.docket/queue/clones', clone, name);
  fs.rmSync(inClone('bad.txt'));
  fs.writeFileSync(inClone('good.txt'), 'good\n');
  expect(await ran(project, 'one')).toEqual({
    status: 'done',
    unseen: undefined,
    note: 'changed by people meanwhile: good.txt',
  });
});
