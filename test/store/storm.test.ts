import { afterEach, expect, test } from 'vitest';
import type { StormOptions } from '../support/storm-plan.ts';
import { verify } from '../support/storm-verify.ts';
import { Storm } from '../support/storm.ts';

// The short form of test/storm/storm.test.ts. STORM_SEED=… draws the same commands, kills and points of death again.
const small: StormOptions = {
  workers: 8,
  commands: 40,
  kills: 6,
  deaths: 6,
  killEveryMs: [100, 700],
  stopMs: 3000,
  lockWaitMs: 1000,
  lockKind: 'kernel',
};
const smaller: StormOptions = { ...small, commands: 20, kills: 3, lockKind: 'link' };

let storm: Storm | undefined;
afterEach(async () => storm?.clean());

test.for([small, smaller])(
  'a write storm with a $lockKind lock loses and doubles nothing',
  { timeout: 60_000 },
  async (options) => {
    storm = new Storm(options);
    console.log(`STORM_SEED=${storm.seed}`);
    const weather = await storm.run();
    const figures = await verify(storm, weather);
    console.log(figures);
    expect(weather.killedLives.size).toBeGreaterThan(options.deaths / 2);
  },
);
