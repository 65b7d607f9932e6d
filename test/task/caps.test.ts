import { describe, expect, it } from 'vitest';
import { reachedBy, units } from '../../src/task/caps.ts';
import { nothingUsed } from '../../src/task/used.ts';

describe.each(units)('a cap on %s', (unit) => {
  const caps = { [unit]: 10 };
  const used = (amount: number) => ({ ...nothingUsed, [unit]: amount });

  it('is reached when it is used up, and not before', () => {
    expect(reachedBy(caps, used(9), { calls: 0 })).toBeUndefined();
    expect(reachedBy(caps, used(10), { calls: 0 })).toEqual({ unit, used: 10, cap: 10 });
  });

  it('keeps room for those at work, each for the most that a call may come to', () => {
    const most = unit === 'calls' ? {} : { [unit]: 1 };
    expect(reachedBy(caps, used(5), { calls: 4, most })).toBeUndefined();
    expect(reachedBy(caps, used(5), { calls: 5, most })).toMatchObject({ waits: true });
  });
});

it('while nobody knows what a call comes to, they go one by one', () => {
  for (const unit of ['tokens', 'money', 'seconds'] as const)
    expect(reachedBy({ [unit]: 10 }, nothingUsed, { calls: 1 })).toMatchObject({ unit, waits: true });
});
