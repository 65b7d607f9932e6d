import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { compareIds, idFrom, isTaskId } from '../../src/task/id.ts';
import { pick, why } from '../../src/task/pick.ts';
import { taskIdSchema } from '../../src/task/schema.ts';
import { commandTypes, rightful } from './commands.ts';
import { World } from './world.ts';

const hostile: unknown[] = [
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a\\b',
  '/etc/passwd',
  'a b',
  'a\n',
  '\na',
  'a\0',
  '\0',
  '\u001b[2J',
  'x'.repeat(129),
  'x'.repeat(1_000_000),
  't\u0430sk', // Cyrillic a
  '\uff54ask', // full-width t
  'ta\u200bsk',
  'é',
  'e\u0301',
  '\u017f', // the long s folds to s under /i
  '\u212a', // the Kelvin sign folds to k under /i
  '\u0661', // a digit, but not ours
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  7,
  null,
  undefined,
  ['a'],
  { toString: () => 'a' },
];

describe('an id', () => {
  it.each(['a', '0', '-', '_', 'Task-01_b', 'x'.repeat(128), 'prototype', 'proto', 'NaN', 'null'])(
    'may be %s',
    (id) => {
      expect(isTaskId(id)).toBe(true);
      expect(v.safeParse(taskIdSchema, id).success).toBe(true);
      expect(new World().add(id).id).toBe(id);
    },
  );

  it.each(hostile.map((id) => [JSON.stringify(id)?.slice(0, 40), id]))('may not be %s', (_, id) => {
    expect(isTaskId(id)).toBe(false);
    expect(v.safeParse(taskIdSchema, id).success).toBe(false);
    const world = new World();
    for (const type of commandTypes) {
      for (const command of rightful(type, world, id as string)) {
        const refusal = world.refuses(command, 'invalid');
        expect(refusal.allowed).toEqual([]);
        // What came from outside is shown, but neither at length nor raw.
        expect(refusal.message).toMatch(/^[ -~]{1,500}$/);
      }
    }
  });

  it('is the same to the function and to the schema', () => {
    const char = fc.constantFrom('a', 'Z', '9', '_', '-', '.', '/', '\0', '\n', 'é');
    const near = fc.string({ unit: char, maxLength: 6 });
    const property = fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (id) => {
      expect(v.safeParse(taskIdSchema, id).success).toBe(isTaskId(id));
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('is checked wherever a task names another', () => {
    const world = new World();
    const base = { type: 'create', id: 'a', by: 'ann', title: 'a', spec: { body: '' } } as const;
    for (const id of ['../x', '__proto__', 'a/b']) {
      expect(world.answer({ ...base, parent: id })).toBe('invalid');
      expect(world.answer({ ...base, relatedTo: id })).toBe('invalid');
      expect(world.answer({ ...base, needs: [id] })).toBe('unknown-need');
    }
    expect(world.tasks.size).toBe(0);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('that is a word of JavaScript finds nothing in the tables of conditions', () => {
    for (const word of ['__proto__', 'constructor', 'toString']) {
      const world = new World();
      const task = world.add('a', {
        spec: { body: '', routing: { provider: word }, workspace: { kind: 'inplace' } },
      });
      const conditions = { now: world.now, parked: {}, locks: {} };
      expect(pick(world.tasks, world.tasks.values(), conditions, 1)).toEqual([task]);
      expect(why(world.tasks, world.tasks.values(), task, conditions)).toMatchObject({ obstacles: [] });
    }
  });
});

describe('the order of ids', () => {
  it('goes by number', () => {
    const ids = ['T-10', 'T-9', 'T-100', 'T-1', 'T-11'];
    expect(ids.toSorted(compareIds)).toEqual(['T-1', 'T-9', 'T-10', 'T-11', 'T-100']);
  });

  it('goes by time for the ids that docket makes', () => {
    const ids = [1, 99, 2 ** 20, 2 ** 40].map((ms) => idFrom(ms, 7));
    expect(ids.toReversed().toSorted(compareIds)).toEqual(ids);
  });

  it('is total', () => {
    const id = fc.string({ unit: fc.constantFrom('a', 'A', '0', '1', '-', '_'), minLength: 1, maxLength: 5 });
    const property = fc.property(id, id, id, (a, b, c) => {
      expect(compareIds(a, b) === 0).toBe(a === b);
      expect(Math.sign(compareIds(a, b))).toBe(-Math.sign(compareIds(b, a)) + 0);
      const [x, y, z] = [a, b, c].toSorted(compareIds) as [string, string, string];
      expect(Math.max(compareIds(x, y), compareIds(y, z), compareIds(x, z))).toBeLessThanOrEqual(0);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
