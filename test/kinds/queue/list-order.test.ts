import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { idFor } from '../../../src/kinds/queue/format/adopt.ts';
import { areInOrder } from '../../../src/kinds/queue/store.ts';
import { newId } from '../../../src/store/new-id.ts';
import { idFrom } from '../../../src/task/id.ts';

const at = '2026-01-01T00:00:00Z';

describe('whether ids say in which order tasks were made', () => {
  it.each([
    ['different times', [idFrom(1, 9), idFrom(2, 3)], true],
    ['one process that makes many at once', Array.from({ length: 50 }, () => newId(systemClock)), true],
    ['two processes in one millisecond', [idFrom(1, 5), idFrom(1, 9)], false],
    ['records of a file with one time', ['a', 'b', 'c'].map((name) => idFor(name, at, 0)), false],
    ['a record without a time', [idFor('a', '', 0)], false],
    ['ids of somebody else', ['T-1', 'T-2'], true],
  ])('%s', (_, ids, expected) => {
    expect(areInOrder(ids)).toBe(expected);
  });
});
