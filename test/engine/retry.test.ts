import { describe, expect, it } from 'vitest';
import { errorClasses, type AgentError } from '../../src/adapters/adapter.ts';
import { pauseBefore, policies } from '../../src/engine/step-outcome.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const middle = () => 0.5;
const pauses = (error: AgentError): (number | undefined)[] =>
  [1, 2, 3, 4].map((failures) => pauseBefore(error, failures, now, middle));

describe('retries', () => {
  it('are decided for every class, and never without an end', () => {
    expect(Object.keys(policies)).toEqual([...errorClasses]);
    for (const { tries } of Object.values(policies)) expect(tries).toBeLessThan(10);
  });

  it.each([
    ['transient', [2000, 4000, 8000, undefined]],
    ['crashed', [1000, 2000, undefined, undefined]],
    ['tooling', [1000, undefined, undefined, undefined]],
    ['unknown', [2000, undefined, undefined, undefined]],
    ['stall', [0, undefined, undefined, undefined]],
    ['limit', [undefined, undefined, undefined, undefined]],
    ['auth', [undefined, undefined, undefined, undefined]],
    ['refused', [undefined, undefined, undefined, undefined]],
    ['timeout', [undefined, undefined, undefined, undefined]],
  ] as const)('of %s', (kind, expected) => {
    expect(pauses({ class: kind, message: '' })).toEqual(expected);
  });

  it('wait as long as they are told, but not the whole night', () => {
    const told = (resetAt: string) =>
      pauseBefore({ class: 'transient', message: '', resetAt }, 1, now, middle);
    expect(told('2026-03-01T12:00:20Z')).toBe(20_000);
    expect(told('2026-03-01T11:00:00Z')).toBe(2000);
    expect(told('2026-03-01T13:00:00Z')).toBeUndefined();
  });

  it('do not rise all at once', () => {
    const spread = [0, 0.25, 0.999].map((random) =>
      pauseBefore({ class: 'transient', message: '' }, 1, now, () => random),
    );
    expect(new Set(spread).size).toBe(3);
  });
});
