import { describe, expect, it } from 'vitest';
import { inPlaceLock, why, type Conditions, type Why } from '../../src/task/pick.ts';
import { at, minute, processLease, World } from './world.ts';

function ask(world: World, id: string, more: Partial<Conditions> = {}): Why {
  return why(world.tasks, world.tasks.values(), world.task(id), { now: world.now, ...more });
}

const free = { kind: 'waiting', obstacles: [], position: 1 };

describe('why is this not running', () => {
  it('its turn has not come: its position, counted in the order of the queue', () => {
    const world = new World();
    world.finish(world.add('over').id);
    world.add('a');
    world.add('b', { priority: 1 });
    expect(ask(world, 'b')).toEqual(free);
    expect(ask(world, 'a')).toEqual({ ...free, position: 2 });
  });

  it('slots: how many there are', () => {
    const world = new World();
    world.add('a');
    const slots = { used: 2, max: 2 };
    expect(ask(world, 'a', { slots })).toEqual({ ...free, obstacles: [{ kind: 'slot', used: 2, max: 2 }] });
    expect(ask(world, 'a', { slots: { used: 1, max: 2 } })).toEqual(free);
  });

  it('dependencies: each that is not done, and what it is instead', () => {
    const world = new World();
    for (const id of ['ok', 'bad', 'gone']) world.add(id);
    world.add('a', { needs: ['ok', 'bad', 'gone'] });
    world.finish('ok');
    world.must({ type: 'fail', id: 'bad', by: 'x', failure: { error: 'no' } });
    world.must({ type: 'cancel', id: 'gone', by: 'x', reason: 'no' });
    world.must({ type: 'remove', id: 'gone', by: 'x', reason: 'no' });
    expect(ask(world, 'a')).toEqual({
      ...free,
      obstacles: [
        { kind: 'dependency', on: 'bad', status: 'failed' },
        { kind: 'dependency', on: 'gone', status: 'missing' },
      ],
    });
  });

  it('a limit: whose, and until when if that is known', () => {
    const world = new World();
    world.add('a', { spec: { body: '', routing: { provider: 'codex' } } });
    const until = at(minute);
    expect(ask(world, 'a', { parked: { codex: { until } } })).toEqual({
      ...free,
      obstacles: [{ kind: 'limit', provider: 'codex', until }],
    });
    expect(ask(world, 'a', { parked: { codex: {} } })).toEqual({
      ...free,
      obstacles: [{ kind: 'limit', provider: 'codex' }],
    });
    expect(ask(world, 'a', { parked: { gemini: {} } })).toEqual(free);
  });

  it('a lock: which, and who has it', () => {
    const world = new World();
    world.add('a', { spec: { body: '', workspace: { kind: 'inplace' } } });
    world.add('b', { spec: { body: '', workspace: { kind: 'clone' } } });
    const locks = { [inPlaceLock]: 'z' };
    expect(ask(world, 'a', { locks })).toEqual({
      ...free,
      obstacles: [{ kind: 'lock', name: inPlaceLock, holder: 'z' }],
    });
    expect(ask(world, 'b', { locks })).toEqual({ ...free, position: 2 });
  });

  it('a budget: which cap, and how much was spent', () => {
    const world = new World();
    world.add('a');
    const cap = { scope: 'day', spent: 12, cap: 10 };
    expect(ask(world, 'a', { spent: [cap] })).toEqual({ ...free, obstacles: [{ kind: 'budget', ...cap }] });
  });

  it('a claim: who holds it and until when, as long as it lives', () => {
    const world = new World();
    world.add('a');
    const until = at(minute);
    world.must({ type: 'claim', id: 'a', by: 'ann', owner: 'ann', until });
    expect(ask(world, 'a')).toEqual({ ...free, obstacles: [{ kind: 'held', owner: 'ann', until }] });
    world.ms = minute;
    expect(ask(world, 'a')).toEqual(free);
  });

  it('all of them at once', () => {
    const world = new World();
    world.add('first');
    world.add('a', {
      needs: ['first'],
      spec: { body: '', routing: { provider: 'codex' }, workspace: { kind: 'inplace' } },
    });
    world.must({ type: 'claim', id: 'a', by: 'ann', owner: 'ann', until: at(minute) });
    const answer = ask(world, 'a', {
      slots: { used: 1, max: 1 },
      parked: { codex: {} },
      locks: { [inPlaceLock]: 'z' },
      spent: [{ scope: 'day', spent: 1, cap: 1 }],
    });
    expect(answer.kind === 'waiting' && answer.obstacles.map((obstacle) => obstacle.kind)).toEqual([
      'dependency',
      'held',
      'limit',
      'lock',
      'budget',
      'slot',
    ]);
  });

  it('a gate: the reason and who must act', () => {
    const world = new World();
    world.add('a');
    const reason = { kind: 'gate', text: 'approve the plan', who: 'ann' } as const;
    world.must({ type: 'block', id: 'a', by: 'gate', reason });
    expect(ask(world, 'a', { slots: { used: 1, max: 1 } })).toEqual({ kind: 'blocked', reason });
  });

  it('because it is running, in review, or over', () => {
    const world = new World();
    world.add('a');
    world.must({ type: 'start', id: 'a', by: 'bob', owner: 'bob', lease: processLease });
    expect(ask(world, 'a')).toEqual({ kind: 'running', owner: 'bob' });
    world.must({ type: 'submit', id: 'a', by: 'bob', token: world.token('a'), summary: 's' });
    expect(ask(world, 'a')).toEqual({ kind: 'review', owner: 'bob' });
    world.must({ type: 'fail', id: 'a', by: 'x', failure: { error: 'no' } });
    expect(ask(world, 'a')).toEqual({ kind: 'over', status: 'failed' });
    world.must({ type: 'cancel', id: 'a', by: 'x', reason: 'no' });
    expect(ask(world, 'a')).toEqual({ kind: 'over', status: 'canceled' });
    world.must({ type: 'reopen', id: 'a', by: 'x', reason: 'yes' });
    world.finish('a');
    expect(ask(world, 'a')).toEqual({ kind: 'over', status: 'done' });
  });
});
