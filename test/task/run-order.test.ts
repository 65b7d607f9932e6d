import { expect, it } from 'vitest';
import type { Step } from '../../src/task/run.ts';
import { processLease, World } from './world.ts';

const step = (id: string, ...needs: string[]): Step => ({
  id,
  kind: 'work',
  title: id,
  role: 'a role',
  agent: 'an agent',
  needs,
});

function running(...steps: Step[]) {
  const world = new World();
  const about = { id: 't', by: 'ann' };
  world.must({
    ...about,
    type: 'create',
    title: 'T',
    spec: { body: '' },
    extras: { mine: { a: 1 }, yours: { b: 1 } },
  });
  const { rev: token } = world.must({ ...about, type: 'start', owner: 'docket', lease: processLease });
  const order = { ...about, type: 'dispatch', token, goal: 'all', orders: '{}' } as const;
  world.must({ ...order, n: 1, steps });
  return { world, about: { ...about, token }, order };
}

it('an order that replaces the one before keeps what is known about the steps of the same id', () => {
  const { world, about, order } = running(step('a'), step('b', 'a'));
  world.must({ ...about, type: 'finish', step: 'a', state: 'done' });
  world.must({ ...about, type: 'finish', step: 'b', state: 'failed', reason: 'no' });
  world.refuses({ ...order, n: 2, steps: [step('a')] }, 'exists');
  world.refuses({ ...order, n: 2, steps: [step('c', 'b')], replaces: true }, 'unknown-need');
  const { run } = world.must({ ...order, n: 2, steps: [step('a'), step('c', 'a')], replaces: true });
  expect(run?.steps.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(run?.rounds).toEqual([0]);
  expect(run?.states['a']?.state).toBe('done');
  expect(run?.states['c']).toBeUndefined();
});

it('an edit of some extras leaves the others alone', () => {
  const { world, about } = running();
  const { extras } = world.must({ ...about, type: 'edit', set: { extras: { mine: { c: 2 } } } });
  expect(extras).toEqual({ mine: { c: 2 }, yours: { b: 1 } });
  expect(world.must({ ...about, type: 'edit', set: { title: 'Other' } }).extras).toEqual(extras);
});
