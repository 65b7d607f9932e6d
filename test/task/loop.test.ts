import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, loopIn, plainly } from '../../src/task/loop.ts';
import type { End } from '../../src/task/trail-schema.ts';

const at = '2026-01-01T00:00:00.000Z';
const fix = (tree: string, changed = true): End => ({ at, node: 'fix', tree, ...(changed && { changed }) });
const review = (tree: string, said: string): End => ({
  at,
  node: 'review',
  tree,
  said,
  finding: true,
  rule: 1,
});
const died: End = { at };
const kind = (...trail: End[]) => loopIn(trail)?.kind;

describe('a loop is', () => {
  it.each<[string, string | undefined, End[]]>([
    ['a step that changes nothing, three times', 'same', [fix('a', false), fix('a', false), fix('a', false)]],
    ['not one that does so twice', undefined, [fix('a', false), fix('a', false)]],
    [
      'also when its reviewer finds other words each time',
      'same',
      [fix('a', false), review('a', 'x'), fix('a', false), review('a', 'y'), fix('a', false)],
    ],
    ['not one that changes files each time', undefined, [fix('a'), fix('a'), fix('a')]],
    ['the tree that goes there and back', 'swing', [fix('a'), fix('b'), fix('a')]],
    ['not one step back on the way', undefined, [fix('a'), fix('b'), fix('c'), fix('a'), fix('d')]],
    ['a longer way round, twice', 'swing', ['a', 'b', 'c', 'a', 'b', 'c'].map((tree) => fix(tree))],
    [
      'what is found again, whatever was changed for it',
      'finding',
      [review('a', 'x'), fix('b'), review('b', 'x'), fix('c'), review('c', 'x')],
    ],
    [
      'also when other things were found in between',
      'finding',
      [review('a', 'x'), fix('b'), review('b', 'y'), fix('c'), review('c', 'x'), fix('d'), review('d', 'x')],
    ],
    ['not what is found twice', undefined, [review('a', 'x'), fix('b'), review('b', 'x')]],
    ['docket that dies again and again', 'restart', Array.from({ length: 10 }, () => died)],
    [
      'not when a step ended meanwhile',
      undefined,
      [died, fix('a'), ...Array.from({ length: 9 }, () => died)],
    ],
    [
      'not who waits for others that have news',
      undefined,
      [
        ...['x', 'y', 'z'].flatMap((said): End[] => [
          { at, node: 'lead', said: 'next', rule: 0 },
          { at, node: 'search', said },
        ]),
        { at, node: 'lead', said: 'next', rule: 0 },
      ],
    ],
    [
      'not who waits for one that changes files and says nothing new',
      undefined,
      [
        ...['a', 'b', 'c'].flatMap((tree): End[] => [{ at, node: 'lead', said: 'next', rule: 0 }, fix(tree)]),
        { at, node: 'lead', said: 'next', rule: 0 },
      ],
    ],
    [
      'who waits for one that says the same and changes nothing',
      'same',
      [
        ...['a', 'a', 'a'].flatMap((tree): End[] => [
          { at, node: 'lead', said: 'next', rule: 0 },
          { at, node: 'fix', tree, said: 'fixed it' },
        ]),
        { at, node: 'lead', said: 'next', rule: 0 },
      ],
    ],
  ])('%s', (_what, expected, trail) => expect(kind(...trail)).toBe(expected));

  it('as many times as the settings say, and never at 0', () => {
    const trail = [1, 2, 3, 4].map(() => fix('a', false));
    expect(loopIn(trail, 5)).toBeUndefined();
    expect(loopIn(trail, 4)?.ends).toHaveLength(4);
    expect(loopIn(trail, 0)).toBeUndefined();
  });
});

describe('whatever happens', () => {
  const names = fc.constantFrom('plan', 'fix', 'review');
  /** Each end brings a tree that was never there, or words that were never said. */
  const progress = fc.array(fc.tuple(names, fc.boolean()), { maxLength: 48 }).map((list) =>
    list.map(([node, writes], n): End => {
      const rule = 0;
      return writes
        ? { at, node, rule, tree: `t${n}`, changed: true }
        : { at, node, rule, tree: 't', said: `s${n}`, finding: true };
    }),
  );

  it('progress is never a loop', () => {
    fc.assert(
      fc.property(progress, (trail) => {
        expect(loopIn(trail)).toBeUndefined();
      }),
    );
  });

  it('every pattern is seen when it has come about, whatever went before and runs beside it', () => {
    const patterns: [string, End[]][] = [
      ['same', [fix('A', false), fix('A', false), fix('A', false)]],
      ['swing', [fix('A'), fix('B'), fix('A')]],
      ['finding', [review('A', 'X'), review('B', 'X'), review('C', 'X')]],
    ];
    const beside = fc.array(fc.nat(2), { maxLength: 6 });
    fc.assert(
      fc.property(progress, fc.constantFrom(...patterns), beside, (before, [expected, pattern], places) => {
        const others = before.map((end) => ({ ...end, node: `other-${end.node}` }));
        const trail: End[] = [...others, ...pattern];
        // Somebody else's step, which says something new each time: readers of the tree, not writers.
        for (const [n, place] of places.entries())
          trail.splice(others.length + place, 0, { at, node: 'beside', said: `new ${n}` });
        expect(loopIn(trail)?.kind).toBe(expected);
      }),
    );
  });

  it('steps that run at once may end in any order', () => {
    const rounds = ['a', 'b', 'c'].map((part): End => ({ at, node: part, tree: 'T', said: part }));
    const orders = fc.tuple(...[1, 2, 3].map(() => fc.shuffledSubarray(rounds, { minLength: 3 })));
    fc.assert(
      fc.property(orders, (ordered) => {
        const trail = ordered.flatMap((round): End[] => [
          ...round.map((end) => ({ ...end })),
          fix('T', false),
        ]);
        expect(loopIn(trail)?.kind).toBe('same');
        expect(loopIn(trail.slice(0, 8))).toBeUndefined();
      }),
    );
  });
});

describe('the same is said', () => {
  it.each([
    ['src/a.ts:12:3 is wrong', 'src/a.ts:99:1  is wrong\n'],
    ['at 2026-01-01T10:00:00Z: bad', 'at 2026-02-03T11:12:13.5Z: bad'],
    ['it took 12 ms', 'it took 1.5s'],
    ['commit 1a2b3c4d broke it', 'commit 99ffee0 broke it'],
    ['see lines 4-9', 'see lines 11-12'],
    ['Round 2 of 9: the name is bad', 'Round 3 of 9: the name is bad'],
    ['\u001B[31mbad\u001B[0m', 'bad'],
  ])('%j and %j', (one, other) => expect(hashOf(one)).toBe(hashOf(other)));

  it.each([
    ['12 tests failed', '8 tests failed'],
    ['part 1 is good', 'part 2 is good'],
    ['the name is wrong', 'the type is wrong'],
  ])('but not %j and %j', (one, other) => expect(hashOf(one)).not.toBe(hashOf(other)));

  it('however long it is', () => {
    for (const part of ['a', '1', ':1', '@@ -', '\u001B[', ' ', 'lines 1-', 'abc1'])
      expect(plainly(part.repeat(1_000_000)).length).toBeLessThan(200_000);
  });
});
