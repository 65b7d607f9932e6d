import { expect, it } from 'vitest';
import { until } from '../support/project.ts';
import { scratch } from '../support/scratch.ts';
import { Accounts } from './accounts.ts';
import { TwoDockets } from './two-dockets.ts';

const hour = 3_600_000;
const from = new Date(2026, 2, 1, 1).getTime();
const served = (two: TwoDockets) => two.diary().filter(({ what }) => what === 'served').length;
const heard = (two: TwoDockets) => two.diary().filter(({ what }) => what === 'limit').length;
const ended = (two: TwoDockets) => two.ended(0);

/** Three hours would be three minutes: who ends before that has seen that the clock was moved. */
const longLimit = {
  from,
  scale: 60,
  weather: { anthropic: [{ after: 1, minutes: 180, kind: 'limit', told: 'text' }] },
} as const;

it('a limit ends when the clock says so: one that people set, and one that went on while the machine slept', async () => {
  const set = new TwoDockets(scratch(), longLimit, {}, 4);
  const slept = new TwoDockets(scratch(), longLimit, {}, 4);
  for (const two of [set, slept]) two.start(0);
  for (const two of [set, slept]) await until('both are told', () => heard(two) > 0);
  for (const two of [set, slept])
    await until('it waits', () => new Accounts(two.state).parked('anthropic').length > 0);
  slept.signal(0, 'SIGSTOP');
  slept.shift(3 * hour);
  slept.signal(0, 'SIGCONT');
  set.shift(-hour);
  set.shift(3 * hour);
  for (const two of [set, slept]) {
    await ended(two);
    expect([two.codes[0], served(two)]).toEqual([[0], 4]);
    expect(new Accounts(two.state).faults).toEqual([]);
  }
});

it('however many wait, one at a time finds out whether a provider answers again', async () => {
  const spell = { after: 1, minutes: 40, kind: 'limit', told: 'nothing' } as const;
  const two = new TwoDockets(scratch(), { from, scale: 600, weather: { anthropic: [spell] } }, {}, 10);
  two.start(0);
  await ended(two);
  const accounts = new Accounts(two.state);
  expect([two.codes[0], served(two), accounts.faults]).toEqual([[0], 10, []]);
  // Three were at work when it began; each of the others that heard of it was the only one that tried.
  const tries = Object.values(accounts.calls).filter(({ probe }) => probe);
  expect(heard(two) - tries.length).toBeLessThan(3);
  expect(accounts.parked('anthropic')).toContain('limit guessed 2');
});

it('a limit that comes back at once is waited for with a growing margin', async () => {
  const spells = [0, 1, 2].map((n) => ({ after: 1 + n, minutes: 20, kind: 'limit', told: 'text' }) as const);
  const two = new TwoDockets(scratch(), { from, scale: 300, weather: { anthropic: spells } }, {}, 4);
  two.start(0);
  await ended(two);
  const accounts = new Accounts(two.state);
  expect([two.codes[0], served(two), accounts.faults]).toEqual([[0], 4, []]);
  expect(accounts.parked('anthropic')).toContain('limit told 0');
  expect(accounts.parked('anthropic')).toContain('limit told 2');
});
