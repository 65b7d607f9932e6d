import { describe, expect, it } from 'vitest';
import { DocketError, type ErrorCode } from '../../src/errors.ts';
import { isRefused } from '../../src/project/tasks/add.ts';
import { leastTrust } from '../../src/settings/trust.ts';
import type { Trust } from '../../src/task/schema.ts';

const high: Trust = { level: 'high', source: 'person' };
const low: Trust = { level: 'low', source: 'issue' };

describe('trust only sinks', () => {
  it.each([
    [low, high, low],
    [high, low, low],
    [low, low, low],
    [high, high, high],
    [undefined, low, low],
    [low, undefined, low],
    [high, undefined, high],
    [undefined, undefined, undefined],
  ])('from %j by %j: %j', (theirs, ours, expected) => expect(leastTrust(theirs, ours)).toEqual(expected));
});

describe('attachments of a task that was not made', () => {
  it.each<[ErrorCode, boolean]>([
    ['REFUSED', true],
    ['CONFLICT', true],
    ['INVALID', true],
    ['USAGE', true],
    ['NOT_FOUND', true],
    ['DISK_FULL', false],
    ['IO', false],
    ['LOCK_TIMEOUT', false],
  ])('after %s are deleted: %s', (code, expected) => {
    expect(isRefused(new DocketError(code, 'm', 'f'))).toBe(expected);
  });

  it('stay after what is no error of docket', () => {
    expect(isRefused(new Error('killed'))).toBe(false);
    expect(isRefused(undefined)).toBe(false);
  });
});
