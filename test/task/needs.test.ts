import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycle, lostIn, unmetNeeds } from '../../src/task/needs.ts';
import { pick } from '../../src/task/pick.ts';
import type { Task } from '../../src/task/schema.ts';
import { bounded } from './commands.ts';
import { World } from './world.ts';

function chain(length: number): World {
  const world = new World();
  world.add('t0');
  for (let n = 1; n < length; n++) world.add(`t${n}`, { needs: [`t${n - 1}`] });
  return world;
}

const names = (tasks: Iterable<Task>): string[] => [...tasks].map((task) => task.id);

describe('a cycle', () => {
  it('of one is refused at creation and in an edit', () => {
    const world = new World();
    const created = world.refuses(
      { type: 'create', id: 'a', by: 'ann', title: 'a', spec: { body: '' }, needs: ['a'] },
      'cycle',
    );
    expect(created.message).toContain('a → a');
    world.add('b');
    const edited = world.refuses({ type: 'edit', id: 'b', by: 'ann', set: { needs: ['b'] } }, 'cycle');
    expect(edited.message).toContain('b → b');
  });

  it.each([2, 3, 7])('of %i is refused with its path', (length) => {
    const world = chain(length);
    const last = `t${length - 1}`;
    const refusal = world.refuses({ type: 'edit', id: 't0', by: 'ann', set: { needs: [last] } }, 'cycle');
    const path = ['t0', ...Array.from({ length }, (_, n) => `t${length - 1 - n}`)];
    expect(refusal.data).toEqual({ cycle: path });
    expect(refusal.message).toContain(path.join(' → '));
    expect(world.task('t0').needs).toEqual([]);
  });

  it('is found behind needs that are harmless, through finished tasks too', () => {
    const world = chain(3);
    world.add('x');
    world.finish('t0');
    const set = { needs: ['x', 't2', 'x'] };
    expect(world.refuses({ type: 'edit', id: 't0', by: 'ann', set }, 'cycle').data).toEqual({
      cycle: ['t0', 't2', 't1', 't0'],
    });
  });

  it('of 100,000 is found without a stack, and told in a short message', () => {
    const length = 100_000;
    const template = new World().add('t0');
    const tasks = new Map<string, Task>();
    for (let n = 0; n < length; n++) {
      tasks.set(`t${n}`, { ...template, id: `t${n}`, needs: n === 0 ? [] : [`t${n - 1}`] });
    }
    expect(findCycle(tasks, 'new', [`t${length - 1}`])).toBeUndefined();
    expect(findCycle(tasks, 't0', [`t${length - 1}`])).toHaveLength(length + 1);
    expect(findCycle(tasks, 'wide', [...tasks.keys()])).toBeUndefined();

    const world = new World();
    world.tasks = tasks;
    const set = { needs: [`t${length - 1}`] };
    const { message, data } = world.refuses({ type: 'edit', id: 't0', by: 'ann', set }, 'cycle');
    expect(message.length).toBeLessThan(400);
    expect(data['cycle']).toHaveLength(length + 1);
  });

  it('that a file brought in does not hang the search', () => {
    const task = new World().add('a');
    const tasks = new Map([
      ['a', { ...task, needs: ['b'] }],
      ['b', { ...task, id: 'b', needs: ['a'] }],
    ]);
    expect(findCycle(tasks, 'c', ['a'])).toBeUndefined();
  });

  it('never comes to be by any accepted sequence of create and edit', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const step = fc.record({
      id: fc.constantFrom(...ids),
      needs: fc.array(fc.constantFrom(...ids), { maxLength: 3 }),
    });
    const property = fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
      const world = new World();
      for (const { id, needs } of steps) {
        if (world.tasks.has(id)) world.run({ type: 'edit', id, by: 'ann', set: { needs } });
        else world.run({ type: 'create', id, by: 'ann', title: id, spec: { body: '' }, needs });
      }
      expect(sortable(world.tasks)).toBe(true);
    });
    fc.assert(property, bounded);
  });

  it('is refused only if there is one', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const graph = fc.array(fc.subarray(ids), { minLength: ids.length, maxLength: ids.length });
    const property = fc.property(graph, (needs) => {
      const world = new World();
      for (const id of ids) world.add(id);
      ids.forEach((id, n) => {
        const would = new Map(world.tasks).set(id, { ...world.task(id), needs: needs[n]! });
        const { ok } = world.run({ type: 'edit', id, by: 'ann', set: { needs: needs[n]! } });
        expect(ok).toBe(sortable(would));
      });
    });
    fc.assert(property, bounded);
  });
});

/** Another way to say "no cycle": one can take away tasks without needs until none is left. */
function sortable(tasks: ReadonlyMap<string, Task>): boolean {
  const left = new Map([...tasks].map(([id, task]) => [id, task.needs]));
  for (let free: string[] = ['']; free.length > 0;) {
    free = [...left].filter(([, needs]) => needs.every((need) => !left.has(need))).map(([id]) => id);
    free.forEach((id) => left.delete(id));
  }
  return left.size === 0;
}

describe('a dependency', () => {
  const blocked = { kind: 'gate', text: 'look', who: 'ann' } as const;

  it('on a task that does not exist is refused, at creation and in an edit', () => {
    const world = new World();
    const needs = ['ghost', 'ghost', '../x\u001b[31m'];
    const created = world.refuses(
      { type: 'create', id: 'a', by: 'ann', title: 'a', spec: { body: '' }, needs },
      'unknown-need',
    );
    expect(created.message).toContain('"ghost"');
    expect(created.message).not.toContain('\u001b');
    expect(created.data).toEqual({ unknown: ['ghost', '../x\u001b[31m'] });
    world.add('b');
    expect(world.answer({ type: 'edit', id: 'b', by: 'ann', set: { needs: ['ghost'] } })).toBe(
      'unknown-need',
    );
  });

  it('on a removed task is refused: it would wait for ever', () => {
    const world = new World();
    world.finish(world.add('a').id);
    world.must({ type: 'remove', id: 'a', by: 'ann', reason: 'old' });
    world.add('b');
    expect(world.answer({ type: 'edit', id: 'b', by: 'ann', set: { needs: ['a'] } })).toBe('unknown-need');
  });

  it('counts only when it is done', () => {
    const world = new World();
    world.add('a');
    const task = world.add('b', { needs: ['a', 'a'] });
    const unmet = () => unmetNeeds(world.tasks, task);
    expect(unmet()).toEqual([{ on: 'a', status: 'queued' }]);
    world.must({ type: 'block', id: 'a', by: 'x', reason: blocked });
    expect(unmet()).toEqual([{ on: 'a', status: 'blocked' }]);
    world.must({ type: 'fail', id: 'a', by: 'x', failure: { error: 'no' } });
    expect(unmet()).toEqual([{ on: 'a', status: 'failed' }]);
    world.must({ type: 'cancel', id: 'a', by: 'x', reason: 'no' });
    expect(unmet()).toEqual([{ on: 'a', status: 'canceled' }]);
    world.must({ type: 'reopen', id: 'a', by: 'x', reason: 'yes' });
    world.finish('a');
    expect(unmet()).toEqual([]);
    world.must({ type: 'archive', id: 'a', by: 'x' });
    expect(unmet()).toEqual([]);
    world.must({ type: 'remove', id: 'a', by: 'x', reason: 'old' });
    expect(unmet()).toEqual([{ on: 'a', status: 'missing' }]);
    world.tasks.delete('a');
    expect(unmet()).toEqual([{ on: 'a', status: 'missing' }]);
  });

  it('is lost behind what nothing takes up again, however long the chain', () => {
    const world = new World();
    for (const id of ['start', 'other']) world.add(id);
    const one = world.add('n0', { needs: ['start'] });
    for (let n = 1; n <= 20_000; n++)
      world.tasks.set(`n${n}`, { ...one, id: `n${n}`, needs: ['other', `n${n - 1}`] });
    const need = { on: 'n20000', status: 'queued' } as const;
    const lost = () => lostIn(world.tasks)(need);
    expect(lost()).toBeUndefined();
    world.must({ type: 'block', id: 'start', by: 'x', reason: blocked });
    expect(lost()).toBeUndefined();
    world.must({ type: 'fail', id: 'start', by: 'x', failure: { error: 'no' } });
    expect(lost()).toEqual({ on: 'start', status: 'failed' });
    world.must({ type: 'cancel', id: 'start', by: 'x', reason: 'no' });
    expect(lost()).toEqual({ on: 'start', status: 'canceled' });
    world.tasks.delete('start');
    expect(lost()).toEqual({ on: 'start', status: 'missing' });
  });

  it('holds back the foot of a diamond when one side fails, and nothing else', () => {
    const world = new World();
    world.add('top');
    world.add('left', { needs: ['top'] });
    world.add('right', { needs: ['top'] });
    world.add('foot', { needs: ['left', 'right'] });
    const ready = () => names(pick(world.tasks, world.tasks.values(), { now: world.now }, 9));
    expect(ready()).toEqual(['top']);
    world.finish('top');
    expect(ready()).toEqual(['left', 'right']);
    world.finish('left');
    world.must({ type: 'fail', id: 'right', by: 'x', failure: { error: 'no' } });
    expect(ready()).toEqual([]);
    expect(unmetNeeds(world.tasks, world.task('foot'))).toEqual([{ on: 'right', status: 'failed' }]);
    world.finish('right');
    expect(ready()).toEqual(['foot']);
  });

  it('chain runs in its order, one at a time, whatever the priorities', () => {
    const priorities = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 2, maxLength: 8 });
    const property = fc.property(priorities, (list) => {
      const world = new World();
      list.forEach((priority, n) => world.add(`t${n}`, { priority, needs: n === 0 ? [] : [`t${n - 1}`] }));
      list.forEach((_, n) => {
        const next = names(pick(world.tasks, world.tasks.values(), { now: world.now }, 9));
        expect(next).toEqual([`t${n}`]);
        world.finish(`t${n}`);
      });
    });
    fc.assert(property, bounded);
  });
});
