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

it('an attempt begins when the one before it has ended, and a step ends after its attempt', () => {
  const { world, about } = running(step('a'));
  const attempt = { ...about, type: 'begin', step: 'a', agent: 'x', adapter: 'command' } as const;
  world.must({ ...attempt, n: 1, mark: 'm1' });
  world.refuses({ ...attempt, n: 2, mark: 'm2' }, 'illegal');
  world.refuses({ ...about, type: 'finish', step: 'a', state: 'done' }, 'illegal');
  world.must({ ...about, type: 'end', step: 'a', n: 1, outcome: { kind: 'done' } } as never);
  world.refuses({ ...attempt, n: 3, mark: 'm3' }, 'illegal');
  expect(world.must({ ...attempt, n: 2, mark: 'm2' }).attempts?.['a']?.n).toBe(2);
});

it('steps that need each other are refused', () => {
  const { world, order } = running();
  world.refuses({ ...order, n: 2, steps: [step('a', 'b'), step('b', 'c'), step('c', 'a')] }, 'cycle');
  world.refuses({ ...order, n: 2, steps: [step('a', 'a')] }, 'cycle');
  expect(world.must({ ...order, n: 2, steps: [step('a', 'b'), step('b')] }).run?.steps).toHaveLength(2);
});
