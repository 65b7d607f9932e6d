import { afterEach, expect, test } from 'vitest';
import { verify } from '../support/storm-verify.ts';
import { Storm } from '../support/storm.ts';

let storm: Storm | undefined;
afterEach(async () => storm?.clean());

/** STORM_SEED=… draws the same commands, kills and points of death again; STORM_KEEP=1 leaves the files for a look. */
test('50 processes with 100 commands each on one store lose and double nothing', async () => {
  storm = new Storm({
    workers: 50,
    commands: 100,
    kills: 40,
    deaths: 24,
    killEveryMs: [100, 1500],
    stopMs: 40_000,
    lockWaitMs: 10_000,
    lockKind: 'kernel',
  });
  console.log(`STORM_SEED=${storm.seed}`);
  const weather = await storm.run();
  const figures = await verify(storm, weather);
  console.log(figures);
  expect(weather.killedLives.size).toBeGreaterThan(40);
});
