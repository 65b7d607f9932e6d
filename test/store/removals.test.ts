import { describe, expect, test } from 'vitest';
import { judgeRemovals } from '../../src/store/file/held-removals.ts';

const known = (...refs: string[]) => refs.map((ref) => ({ ref, known: true }));
const unknown = (...refs: string[]) => refs.map((ref) => ({ ref, known: false }));
const few = known('a', 'b', 'c');
const many = known('a', 'b', 'c', 'd');

describe('records that are missing in a saved file', () => {
  test.each([
    ['one of many', { gone: known('a'), kept: 5, isCut: false }, { a: 'remove' }],
    ['three of many', { gone: few, kept: 1, isCut: false }, { a: 'remove', b: 'remove', c: 'remove' }],
    ['four of many', { gone: many, kept: 90, isCut: false }, { a: 'many', b: 'many', c: 'many', d: 'many' }],
    ['the only one', { gone: known('a'), kept: 0, isCut: false }, { a: 'many' }],
    ['the last one', { gone: known('a'), kept: 5, isCut: true }, { a: 'remove' }],
    ['the last two', { gone: known('a', 'b'), kept: 5, isCut: true }, { a: 'cut', b: 'cut' }],
    ['one that is newer', { gone: unknown('n'), kept: 5, isCut: false }, { n: 'unknown' }],
    [
      'one that was taken out, and one that is newer',
      { gone: [...known('a'), ...unknown('n')], kept: 5, isCut: false },
      { a: 'remove', n: 'unknown' },
    ],
    [
      'three, and newer ones, which are not counted',
      { gone: [...few, ...unknown('m', 'n')], kept: 1, isCut: false },
      { a: 'remove', b: 'remove', c: 'remove', m: 'unknown', n: 'unknown' },
    ],
    [
      'all of them, some of which are newer',
      { gone: [...known('a'), ...unknown('n')], kept: 0, isCut: false },
      { a: 'many', n: 'many' },
    ],
    ['none', { gone: [], kept: 0, isCut: false }, {}],
  ] as const)('%s', (_, missing, verdicts) => {
    expect(Object.fromEntries(judgeRemovals(missing))).toEqual(verdicts);
  });
});
