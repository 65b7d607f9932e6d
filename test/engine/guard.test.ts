import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Agent } from '../../src/adapter/agent.ts';
import { codex } from '../../src/adapter/codex/adapter.ts';
import { command } from '../../src/adapter/command/adapter.ts';
import { guardOf } from '../../src/engine/guard.ts';
import type { Task } from '../../src/task/schema.ts';
import { scratch } from '../support/scratch.ts';

const plain = { adapter: command, permission: 'full', sandbox: 'none', approvals: false } as Agent;

/** People's tree, with a hook of theirs. */
function tree() {
  const root = fs.realpathSync(scratch());
  const hook = path.join(root, '.git/hooks/pre-push');
  fs.mkdirSync(path.dirname(hook), { recursive: true });
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(hook, 'people', { mode: 0o755 });
  const isProgram = (): boolean => (fs.statSync(hook).mode & 0o111) !== 0;
  const guard = (isApart: boolean, agent = plain) =>
    guardOf({ root, task: 't1', masking: { text: (text) => text }, goOn: 'docket retry t1', isApart })({
      cwd: root,
      step: 'work',
      agent,
      task: {} as Task,
    });
  return { root, hook, isProgram, guard };
}

it('puts back a hook that was taken away, or its right to be started', async () => {
  const { hook, isProgram, guard } = tree();
  for (const attack of [() => fs.rmSync(hook), () => fs.chmodSync(hook, 0o644)]) {
    const after = await guard(false);
    attack();
    expect(await after?.()).toMatchObject({ putBack: true, reason: { kind: 'scope' } });
    expect(fs.readFileSync(hook, 'utf8')).toBe('people');
    expect(isProgram()).toBe(true);
  }
});

it('keeps what was there each time, for its owner only, where nothing is put back', async () => {
  const { root, hook, guard } = tree();
  for (const [n, name] of ['t1.work', 't1.work.2'].entries()) {
    const after = await guard(true);
    fs.writeFileSync(hook, `evil ${n}`);
    expect((await after?.())?.putBack).toBe(false);
    const copy = path.join(root, '.docket/undone', name, 'before/.git/hooks/pre-push');
    expect(fs.readFileSync(copy, 'utf8')).toBe(n === 0 ? 'people' : 'evil 0');
    expect(fs.statSync(copy).mode & 0o777).toBe(0o700);
  }
});

it('does not look where the agent cannot have done it', async () => {
  const { guard } = tree();
  const held = { ...plain, adapter: codex, permission: 'edit' } as const;
  expect(await guard(true, { ...plain, sandbox: 'bubblewrap' })).toBeUndefined();
  expect(await guard(true, held)).toBeUndefined();
  expect(await guard(true, { ...held, approvals: true })).toBeDefined(); // a person may let it out
  expect(await guard(true, { ...held, permission: 'full' })).toBeDefined();
});
