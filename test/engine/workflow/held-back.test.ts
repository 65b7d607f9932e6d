import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runWorkflow } from '../../../src/engine/run-workflow.ts';
import { agentNamed } from '../../../src/settings/agents.ts';
import { defaultConfig } from '../../../src/settings/config.ts';
import { execute, executeTogether } from '../../../src/store/execute.ts';
import { memoryStore } from '../../../src/store/memory/memory-store.ts';
import type { Claim } from '../../../src/store/store.ts';
import type { Step } from '../../../src/task/run.ts';
import { scratch } from '../../support/scratch.ts';

const id = 'task-1';
const now = '2026-03-01T08:00:00.000Z';
const says = (status: string) => `cat > /dev/null; echo '{"status":"${status}","summary":"so it is"}'`;
const agents = {
  well: { adapter: 'command' as const, command: ['/bin/sh', '-c', says('success')] },
  asks: { adapter: 'command' as const, command: ['/bin/sh', '-c', says('blocked')] },
};
const step = (name: string, agent: string): Step => ({
  id: name,
  kind: 'work',
  title: name,
  role: 'worker',
  agent,
  needs: [],
});

it('a step that was chosen before somebody was blocked, and not begun, waits all the same', async () => {
  const root = scratch();
  const store = memoryStore();
  await execute(
    store,
    { type: 'create', id, by: 'ann', title: 'T', spec: { body: '' }, extras: {} },
    { now },
  );
  const [claim] = (await store.claim({ owner: 'me', max: 1, only: [id] })) as [Claim];
  const steps = [step('first', 'well'), step('asks', 'asks'), step('late', 'well')];
  const order = { type: 'dispatch' as const, n: 1, goal: '', steps, orders: '{}' };
  await executeTogether(store, id, [{ ...order, id, by: 'me', token: claim.token }], now);

  let lateIsChosen = (): void => undefined;
  const chosen = new Promise<void>((resolve) => (lateIsChosen = resolve));
  let isBlocked = (): void => undefined;
  const blocked = new Promise<void>((resolve) => (isBlocked = resolve));
  const task = await runWorkflow(claim, {
    store,
    by: 'me',
    slots: 2,
    async order({ id: name, agent }) {
      if (name === 'asks') await chosen;
      if (name === 'late') {
        lateIsChosen();
        await blocked;
      }
      return {
        agent: await agentNamed(agent, { ...defaultConfig, agents }, { root, env: process.env }),
        cwd: root,
        prompt: 'do',
        folder: (n) =>
          fs.mkdirSync(path.join(root, name, `${n}`), { recursive: true }) ?? path.join(root, name, `${n}`),
      };
    },
    notes: async () => undefined,
    evidence: 'summary',
    env: process.env,
    signal: new AbortController().signal,
    now: () => Date.now(),
    onProgress: (progress) => {
      if (progress.kind === 'stepped' && progress.state === 'blocked') isBlocked();
    },
  });

  expect(task.status).toBe('blocked');
  expect(task.run?.states).toMatchObject({ first: { state: 'done' }, asks: { state: 'blocked' } });
  expect(task.attempts).not.toHaveProperty('late');
});
