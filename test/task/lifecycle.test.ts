import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { allowedNext } from '../../src/task/allowed.ts';
import { newEventSchema, taskSchema, type Task } from '../../src/task/schema.ts';
import { edges, isFinal, moves, statuses, type MoveType, type Status } from '../../src/task/status.ts';
import { anySequence, bounded, play, rightful, type Intent } from './commands.ts';
import { bare, replay, World, type Change } from './world.ts';

/** The table as the design has it, in its own words. */
const design = `queued → queued · running · blocked · failed · canceled
running → review · done · blocked · failed · queued · canceled
review → done · running · blocked · failed · canceled
blocked → queued · running · failed · canceled
failed → queued · running · canceled`;

const edge = (from: string, to: string): string => `${from} → ${to}`;
const sorted = (set: Iterable<string>): string[] => [...new Set(set)].toSorted();
const wayOut = statuses.filter(isFinal).map((from) => edge(from, 'queued'));
const table = sorted([
  ...statuses.flatMap((from) => edges[from].map((to) => edge(from, to))),
  ...wayOut, // reopened: the one way out of a final status
]);

describe('the lifecycle table', () => {
  it('is the one of the design', () => {
    const written = design.split('\n').flatMap((line) => {
      const [from, to] = line.split(' → ') as [string, string];
      return to.split(' · ').map((status) => edge(from, status));
    });
    expect(table).toEqual(sorted([...written, ...wayOut]));
    expect(statuses.filter(isFinal)).toEqual(['done', 'canceled']);
  });

  it('is what the events induce, in both directions', () => {
    const induced = (Object.keys(moves) as MoveType[]).flatMap((type) =>
      moves[type].from.map((from) => edge(from, moves[type].to)),
    );
    expect(sorted(induced)).toEqual(table);
  });

  it('lets only reopened out of a final status', () => {
    const out = (Object.keys(moves) as MoveType[]).filter((type) =>
      (moves[type].from as readonly Status[]).some(isFinal),
    );
    expect(out).toEqual(['task.reopened']);
  });

  it('is reached edge by edge through real commands', () => {
    const seen = new Set<string>();
    const step = fc.nat({ max: 10_000 });
    // Every step takes one of the commands that are offered, so that no run is lost in refusals.
    const directed = fc.property(fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }), (steps) => {
      const world = new World();
      world.add('a');
      for (const n of steps) {
        const offered = allowedNext(world.task('a')).filter((type) => type !== 'remove');
        const commands = offered.flatMap((type) => rightful(type, world, 'a'));
        world.must(commands[n % commands.length]!);
      }
      for (const { event, before, after } of world.changes) {
        if (before && event.type in moves) seen.add(edge(before, after));
      }
    });
    fc.assert(directed, { numRuns: 150, seed: 42 });
    expect(sorted(seen)).toEqual(table);
  });
});

/** Every state that a sequence leads to, on the way too. */
function statesOf(world: World, intents: readonly Intent[]): Task[] {
  return intents.flatMap((intent) => {
    play(world, intent);
    return world.tasks.get(intent.id) ?? [];
  });
}

describe('any sequence of commands', () => {
  it('folds to the same state again', () => {
    const property = fc.property(anySequence, (intents) => {
      const world = new World();
      for (const intent of intents) play(world, intent);
      expect(replay(world.journal)).toEqual(world.tasks);
      expect(replay(JSON.parse(JSON.stringify(world.journal)))).toEqual(world.tasks);
    });
    fc.assert(property, bounded);
  });

  it('moves along the table only, by events that say so', () => {
    const legal = ({ event, before, after }: Change): boolean => {
      if (event.type === 'task.created') return before === undefined && after === 'queued';
      if (!(event.type in moves)) return after === before;
      return table.includes(edge(before!, after)) && after === moves[event.type as MoveType].to;
    };
    const property = fc.property(anySequence, (intents) => {
      const world = new World();
      for (const intent of intents) play(world, intent);
      expect(world.changes.filter((change) => !legal(change))).toEqual([]);
    });
    fc.assert(property, bounded);
  });

  it('leaves tasks and facts that fit their schema', () => {
    const property = fc.property(anySequence, (intents) => {
      const world = new World();
      for (const task of statesOf(world, intents)) expect(v.parse(taskSchema, task)).toEqual(task);
      for (const event of world.journal) expect(v.parse(newEventSchema, bare(event))).toEqual(bare(event));
    });
    fc.assert(property, bounded);
  });

  it('gives every task the revision and time of its last fact', () => {
    const property = fc.property(anySequence, (intents) => {
      const world = new World();
      for (const intent of intents) play(world, intent);
      for (const task of world.tasks.values()) {
        const last = world.journal.findLast((event) => event.taskId === task.id);
        expect([task.rev, task.updatedAt]).toEqual([last?.seq, last?.at]);
      }
    });
    fc.assert(property, bounded);
  });

  it('never leaves the claim of an old status behind', () => {
    const property = fc.property(anySequence, (intents) => {
      const world = new World();
      const states = statesOf(world, intents);
      for (const task of states.filter(({ status }) => !['queued', 'running', 'review'].includes(status))) {
        expect(task).not.toHaveProperty('lease');
        expect(task).not.toHaveProperty('token');
      }
      for (const task of states.filter((task) => task.status === 'queued')) {
        expect(task.owner === undefined).toBe(task.lease === undefined);
      }
    });
    fc.assert(property, bounded);
  });
});

describe('the fold', () => {
  it('knows nothing about a task that was never created', () => {
    const world = new World();
    world.finish(world.add('a').id);
    expect(replay(world.journal.slice(1)).size).toBe(0);
  });

  it('counts the wait anew when a task comes back to the queue, not when a claim is given up', () => {
    const world = new World();
    const { queuedAt } = world.add('a');
    world.ms = 60_000;
    world.must({ type: 'claim', id: 'a', by: 'ann', owner: 'ann', until: '2026-03-02T00:00:00Z' });
    world.must({ type: 'release', id: 'a', by: 'ann', token: world.token('a'), reason: 'lunch' });
    expect(world.task('a').queuedAt).toBe(queuedAt);
    world.finish('a');
    world.must({ type: 'reopen', id: 'a', by: 'ann', reason: 'it was not' });
    expect(world.task('a').queuedAt).toBe(world.now);
  });

  it('takes a reopened task out of the archive', () => {
    const world = new World();
    world.finish(world.add('a').id);
    world.must({ type: 'archive', id: 'a', by: 'ann' });
    expect(world.task('a').archivedAt).toBe(world.now);
    world.must({ type: 'reopen', id: 'a', by: 'ann', reason: 'again' });
    expect(world.task('a')).not.toHaveProperty('archivedAt');
  });

  it('keeps the time of an imported fact', () => {
    const world = new World();
    const when = '2020-01-01T00:00:00Z';
    expect(world.add('a', { when })).toMatchObject({ createdAt: when, queuedAt: when, updatedAt: world.now });
  });
});
