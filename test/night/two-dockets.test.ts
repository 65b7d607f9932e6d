import { expect, it } from 'vitest';
import { pause } from '../support/kill-rounds.ts';
import { scratch } from '../support/scratch.ts';
import { Accounts } from './accounts.ts';
import type { NightPlan } from './night-project.ts';
import { TwoDockets } from './two-dockets.ts';

const price = 0.1;
const most = { calls: 8, money: 0.35 };

/** A limit in the middle, of which the end is told or not. */
const planFor = (seed: number): NightPlan => ({
  // What a day may cost is for one day: it has to be long enough.
  from: new Date(2026, 2, 1, 0, 5).getTime(),
  scale: 400,
  weather: {
    anthropic: [
      {
        after: 1 + (seed % 3),
        minutes: 30,
        kind: 'limit',
        told: seed % 2 === 0 ? 'text' : 'nothing',
        late: 5 * (seed % 3),
      },
    ],
  },
  cost: { anthropic: price },
});

/** Numbers that look random, and are the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Both run to their end; until then now one, now the other is killed and begins again. */
async function history(two: TwoDockets, random: () => number): Promise<void> {
  two.start(0);
  two.start(1);
  for (let kills = 2; two.runs(0) || two.runs(1);) {
    await pause(kills > 0 ? 300 + random() * 900 : 50);
    if (kills === 0) continue;
    const at = random() < 0.5 ? 0 : 1;
    kills -= 1;
    if (!two.runs(at)) continue;
    await two.kill(at);
    two.start(at);
  }
}

/** What is wrong with what two dockets did, given what really was called. */
function problems(two: TwoDockets): string[] {
  const accounts = new Accounts(two.state);
  const called = two.diary().filter(({ event }) => event === 'call');
  const served = two.diary().filter(({ what }) => what === 'served');
  const list = (marks: readonly string[]) => marks.toSorted().join(' ');
  const marks = list(called.map(({ mark }) => mark));
  const tried = two.attempts().filter(({ uncalled }) => !uncalled);
  const found = [...accounts.faults];
  const must = (holds: boolean, problem: string) => void (holds || found.push(problem));
  must(list(Object.keys(accounts.calls)) === marks, 'the book has other calls than were made');
  must(list(tried.map(({ mark }) => mark)) === marks, 'the journals have other calls than were made');
  must(called.length <= most.calls, `${called.length} calls`);
  must(served.length * price <= most.money + price + 1e-9, `$${served.length * price}`);
  const untold = Object.values(accounts.calls).filter(({ used, lost }) => lost || used?.untold).length;
  const missing = served.length * price - accounts.spent('anthropic');
  must(
    missing > -1e-9 && missing <= untold * price + 1e-9,
    `the book lacks $${missing}, of ${untold} calls unknown`,
  );
  must(two.leftovers().length === 0, 'something still runs');
  must(
    two.codes
      .flat()
      .filter((code) => code !== null)
      .every((code) => code === 5 || code === 0),
    `ended with ${two.codes.join('; ')}`,
  );
  return found;
}

/** What happened at all: without it, what is said above would say nothing. */
function happened(two: TwoDockets, scope: string) {
  const served = two.diary().filter(({ what }) => what === 'served').length;
  const limits = new Accounts(two.state).parked('anthropic').filter((how) => how.startsWith('limit'));
  const refused = two.held().filter((text) => text.startsWith(`${scope}.`));
  return { served, heard: limits.length, refused: refused.length, kills: two.kills };
}

const seeds = Array.from({ length: 20 }, (_, n) => n + 1);

it('two dockets keep to one limit and one cap, however they are killed', async () => {
  const found: string[] = [];
  const heard: number[] = [];
  const run = async (seed: number) => {
    // One cap for the provider in half of the histories, and one for the whole day in the other.
    const scope = seed % 4 < 2 ? 'providers.anthropic' : 'day';
    const caps = scope === 'day' ? { day: most } : { providers: { anthropic: most } };
    const two = new TwoDockets(scratch(), planFor(seed), caps, 3);
    await history(two, dice(seed));
    const seen = happened(two, scope);
    heard.push(seen.heard);
    found.push(...problems(two).map((problem) => `history ${seed}: ${problem}`));
    for (const what of ['served', 'refused', 'kills'] as const)
      if (seen[what] === 0) found.push(`history ${seed}: ${what}: nothing`);
  };
  for (let at = 0; at < seeds.length; at += 4) await Promise.all(seeds.slice(at, at + 4).map(run));
  expect(found).toEqual([]);
  // A cap may be reached before its provider has had enough; not often.
  expect(heard.filter((times) => times > 0).length).toBeGreaterThanOrEqual(seeds.length / 2);
});
