import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evening, most, step, World } from '../support/meter-world.ts';

describe('two dockets at one book', () => {
  it('keep to one limit and one cap of the day, however they are killed', () => {
    const money = fc.integer({ min: 1, max: 5 }).map((dimes) => dimes / 10);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), money, fc.boolean(), (steps, cap, ceiling) => {
        const world = new World(cap, 6, ceiling);
        // Without a ceiling for each call, what the next may cost is learnt from the last: here they cost the same.
        const cost = (cents: number) => (ceiling ? (cents * most) / 9 : most);
        for (const one of steps) {
          if (one.do === 'ask') world.ask(one.by, `p${one.provider}`);
          if (one.do === 'end') world.end(one.call, cost(one.cents));
          if (one.do === 'limit') world.limit(one.call, one.told);
          if (one.do === 'kill') world.lives[one.by] = (world.lives[one.by] ?? 0) + 1;
          if (one.do === 'take') world.take(one.by);
          if (one.do === 'wait') world.now = Math.min(world.now + one.seconds * 1000, evening);
        }
        while (world.open().length > 0) world.end(0, most);
        expect(world.check(cap)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
