import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inPlaceLock, obstacles, pick, rank, type Conditions } from '../../src/task/pick.ts';
import type { Spec, Task } from '../../src/task/schema.ts';
import { anySequence, bounded, play } from './commands.ts';
import { at, minute, processLease, World } from './world.ts';

function next(world: World, max: number, more: Partial<Conditions> = {}): string[] {
  const conditions = { now: world.now, ...more };
  return pick(world.tasks, world.tasks.values(), conditions, max).map((task) => task.id);
}

const spec = (more: Partial<Spec>): { spec: Spec } => ({ spec: { body: '', ...more } });
const inplace = spec({ workspace: { kind: 'inplace' } });

/** What the constant says: so much waiting weighs as much as one point of priority. */
const template = new World().add('x');
const perPoint = rank({ ...template, priority: 0 }) - rank({ ...template, priority: 1 });

it("a removed task is never picked, and stands in nobody's way", () => {
  const world = new World();
  world.add('a');
  world.add('b');
  const tasks = [...world.tasks.values()].map((task) => ({ ...task, removedAt: world.now }));
  expect(pick(world.tasks, tasks, { now: world.now }, 9)).toEqual([]);
});

describe('the order', () => {
  it('is by priority, then by time, then by the number in the id', () => {
    const world = new World();
    world.add('t10');
    world.add('t9');
    world.ms = 1;
    world.add('t1');
    world.add('urgent', { priority: 5 });
    world.add('later', { priority: -5 });
    expect(next(world, 9)).toEqual(['urgent', 't9', 't10', 't1', 'later']);
    expect(next(world, 2)).toEqual(['urgent', 't9']);
    expect(next(world, 0)).toEqual([]);
  });

  it('does not depend on the order in which tasks are listed', () => {
    const world = new World();
    for (const [n, priority] of [3, 0, 0, -2, 3, 1].entries()) world.add(`t${n}`, { priority });
    const all = [...world.tasks.values()];
    const shuffles = fc.shuffledSubarray(all, { minLength: all.length });
    const property = fc.property(shuffles, (tasks) => {
      const picked = pick(world.tasks, tasks, { now: world.now }, 9).map((task) => task.id);
      expect(picked).toEqual(next(world, 9));
    });
    fc.assert(property, { numRuns: 100 });
  });

  it('between two tasks does not change with time', () => {
    const world = new World();
    world.add('low', { priority: -1 });
    world.ms = perPoint;
    world.add('high', { priority: 1 });
    const before = next(world, 2);
    world.ms = 1000 * perPoint;
    expect(next(world, 2)).toEqual(before);
  });
});

describe('a file that people put in order', () => {
  const placed = (...ids: string[]): Partial<Conditions> => ({
    order: new Map(ids.map((id, at) => [id, at])),
  });

  it('goes before age among tasks of one priority', () => {
    const world = new World();
    for (const id of ['old', 'middle', 'young']) {
      world.add(id);
      world.ms += perPoint / 4;
    }
    expect(next(world, 9, placed('young', 'old', 'middle'))).toEqual(['young', 'old', 'middle']);
    // Not in the file yet: behind what is.
    expect(next(world, 9, placed('young', 'middle'))).toEqual(['young', 'middle', 'old']);
  });

  it('leaves priority and ageing as they are between tasks that stand by age', () => {
    const world = new World();
    world.add('old');
    world.ms = 2 * perPoint;
    world.add('urgent', { priority: 3 });
    world.ms = 4 * perPoint;
    world.add('young', { priority: 1 });
    expect(next(world, 9, placed('old', 'urgent', 'young'))).toEqual(next(world, 9));
    expect(next(world, 9)).toEqual(['urgent', 'old', 'young']);
    expect(next(world, 9, placed('young', 'old', 'urgent'))).toEqual(['young', 'urgent', 'old']);
  });

  it('holds for any times and priorities: what stands above another of its priority or less goes first', () => {
    const task = fc.record({ ms: fc.nat(20 * perPoint), priority: fc.integer({ min: -3, max: 3 }) });
    const property = fc.property(fc.array(task, { minLength: 2, maxLength: 12 }), (list) => {
      const world = new World();
      for (const [n, { ms, priority }] of list.entries()) world.add(`t${n}`, { priority, when: at(ms) });
      const ids = list.map((_, n) => `t${n}`);
      const turn = next(world, 99, placed(...ids));
      expect(turn.toSorted()).toEqual(ids.toSorted());
      const pairs = ids.flatMap((above, n) => ids.slice(n + 1).map((below) => [above, below] as const));
      const wrong = pairs.filter(
        ([above, below]) =>
          world.task(above).priority >= world.task(below).priority &&
          turn.indexOf(above) > turn.indexOf(below),
      );
      expect(wrong).toEqual([]);
    });
    fc.assert(property, { ...bounded, numRuns: 100 });
  });
});

describe('ageing', () => {
  /** One slot and one arrival per tick: a queue that is never empty. Gives back what ran before `old`. */
  function runsBefore(old: { priority: number }, arrivals: number[], tick: number): Task[] {
    const world = new World();
    world.add('old', old);
    const ran: Task[] = [];
    for (const [n, priority] of arrivals.entries()) {
      world.ms = n * tick;
      world.add(`n${n}`, { priority });
      const [id] = next(world, 1);
      if (id === 'old') return ran;
      ran.push(world.finish(id!));
    }
    throw new Error('the old task has starved');
  }

  it('starts an old task of low priority within the bound, though 100 of high priority arrive after it', () => {
    const points = 10;
    const ran = runsBefore(
      { priority: 0 },
      Array.from({ length: 100 }, () => points),
      perPoint,
    );
    // An arrival at exactly the bound is a tie, which the id decides ("n10" before "old").
    expect(ran).toHaveLength(points + 1);
  });

  it('bounds the wait between the lowest and the highest priority', () => {
    const arrivals = Array.from({ length: 203 }, () => 100);
    // The arrival at exactly the bound, "n200", is a tie that the shorter id "old" wins.
    expect(runsBefore({ priority: -100 }, arrivals, perPoint)).toHaveLength(200);
  });

  it('bridges the widest gap of priorities in less than two days, and one point in more than a moment', () => {
    expect(200 * perPoint).toBeLessThan(2 * 24 * 60 * minute);
    expect(perPoint).toBeGreaterThanOrEqual(minute);
  });

  it('lets nobody who came after the bound run first, whatever arrives', () => {
    const priority = fc.integer({ min: -20, max: 20 });
    // 42 ticks are more than 40 points of difference can bridge.
    const arrivals = fc.array(priority, { minLength: 42, maxLength: 42 });
    const property = fc.property(priority, arrivals, (mine, list) => {
      for (const task of runsBefore({ priority: mine }, list, perPoint)) {
        const headStart = Date.parse(task.queuedAt) - Date.parse(at(0));
        expect(headStart).toBeLessThanOrEqual((task.priority - mine) * perPoint);
      }
    });
    fc.assert(property, { ...bounded, numRuns: 60 });
  });
});

describe('pick', () => {
  it('passes over a task that somebody holds, until the term is over', () => {
    const world = new World();
    world.add('a');
    world.add('b');
    world.must({ type: 'claim', id: 'a', by: 'ann', owner: 'ann', until: '2026-03-01T02:30:00+02:00' });
    expect(next(world, 9)).toEqual(['b']);
    world.ms = 30 * minute - 1;
    expect(next(world, 9)).toEqual(['b']);
    world.ms = 30 * minute;
    expect(next(world, 9)).toEqual(['a', 'b']);
  });

  it('takes queued tasks only', () => {
    const world = new World();
    for (const id of ['run', 'done', 'fail', 'cancel', 'block', 'wait']) world.add(id);
    world.must({ type: 'start', id: 'run', by: 'x', owner: 'x', lease: processLease });
    world.finish('done');
    world.must({ type: 'fail', id: 'fail', by: 'x', failure: { error: 'no' } });
    world.must({ type: 'cancel', id: 'cancel', by: 'x', reason: 'no' });
    const reason = { kind: 'limit', text: 'wait', who: 'docket' } as const;
    world.must({ type: 'block', id: 'block', by: 'x', reason });
    expect(next(world, 9)).toEqual(['wait']);
  });

  it('fills the free slots and no more', () => {
    const world = new World();
    for (const id of ['a', 'b', 'c', 'd']) world.add(id);
    expect(next(world, 9, { slots: { used: 1, max: 3 } })).toEqual(['a', 'b']);
    expect(next(world, 1, { slots: { used: 1, max: 3 } })).toEqual(['a']);
    expect(next(world, 9, { slots: { used: 3, max: 3 } })).toEqual([]);
    expect(next(world, 9, { slots: { used: 4, max: 3 } })).toEqual([]);
    expect(next(world, 9, { slots: { used: 0, max: 0 } })).toEqual([]);
  });

  it('passes over the tasks of a parked provider, until its time has come', () => {
    const world = new World();
    world.add('a', spec({ routing: { provider: 'codex' } }));
    world.add('b', spec({ routing: { provider: 'gemini' } }));
    world.add('c');
    expect(next(world, 9, { parked: { codex: {} } })).toEqual(['b', 'c']);
    const parked = { codex: { until: at(minute) } };
    expect(next(world, 9, { parked })).toEqual(['b', 'c']);
    world.ms = minute;
    expect(next(world, 9, { parked })).toEqual(['a', 'b', 'c']);
  });

  it('starts one task in place at a time, and others beside it', () => {
    const world = new World();
    world.add('a', inplace);
    world.add('b', inplace);
    world.add('c', spec({ workspace: { kind: 'clone' } }));
    world.add('d', spec({ workspace: { kind: 'worktree' } }));
    expect(next(world, 9)).toEqual(['a', 'c', 'd']);
    expect(next(world, 9, { locks: { [inPlaceLock]: 'z' } })).toEqual(['c', 'd']);
    // A task that crashed with the lock is not in its own way.
    expect(next(world, 9, { locks: { [inPlaceLock]: 'b' } })).toEqual(['b', 'c', 'd']);
  });

  it('starts nothing when a budget is spent', () => {
    const world = new World();
    world.add('a');
    expect(next(world, 9, { spent: [] })).toEqual(['a']);
    expect(next(world, 9, { spent: [{ scope: 'day', spent: 10, cap: 10 }] })).toEqual([]);
  });

  it('leaves the conditions as they are', () => {
    const world = new World();
    world.add('a', inplace);
    const conditions = { slots: { used: 0, max: 2 }, locks: {}, parked: {} };
    next(world, 9, conditions);
    expect(conditions).toEqual({ slots: { used: 0, max: 2 }, locks: {}, parked: {} });
  });

  it('never returns a task with an obstacle, never skips one without, never overfills', () => {
    const conditions = fc.record(
      {
        slots: fc.record({ used: fc.nat({ max: 3 }), max: fc.nat({ max: 4 }) }),
        parked: fc.constantFrom({}, { codex: {} }),
        locks: fc.constantFrom({}, { [inPlaceLock]: 'a' }, { [inPlaceLock]: 'other' }),
        spent: fc.constantFrom([], [], [{ scope: 'day', spent: 2, cap: 1 }]),
      },
      { requiredKeys: [] },
    );
    const specs = fc.constantFrom<Partial<Spec>>(
      {},
      { workspace: { kind: 'inplace' } },
      { routing: { provider: 'codex' } },
    );
    const some = fc.array(specs, { minLength: 4, maxLength: 4 });
    const property = fc.property(
      anySequence,
      some,
      conditions,
      fc.nat({ max: 4 }),
      (steps, list, more, max) => {
        const world = new World();
        ['a', 'b', 'c', 'd'].forEach((id, n) => world.add(id, spec(list[n]!)));
        for (const intent of steps.slice(0, 30)) play(world, intent);
        const all = { now: world.now, ...more };
        const picked = pick(world.tasks, world.tasks.values(), all, max);
        for (const task of picked) {
          expect(task.status).toBe('queued');
          expect(obstacles(world.tasks, task, all)).toEqual([]);
        }
        const inPlace = picked.filter((task) => task.spec.workspace?.kind === 'inplace');
        expect(inPlace.length).toBeLessThanOrEqual(1);
        const free = Math.min(max, all.slots ? Math.max(0, all.slots.max - all.slots.used) : max);
        expect(picked.length).toBeLessThanOrEqual(free);
        const could = [...world.tasks.values()].filter(
          (task) => task.status === 'queued' && obstacles(world.tasks, task, all).length === 0,
        );
        const rivals = could.filter((task) => task.spec.workspace?.kind === 'inplace').length;
        expect(picked.length).toBe(Math.min(free, could.length - Math.max(0, rivals - 1)));
      },
    );
    fc.assert(property, bounded);
  });
});
