import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  evidenceText,
  lookEvery,
  type StallAction,
  nextStallAction,
  type Seen,
  slept,
  works,
} from '../../src/engine/stall-policy.ts';

const minute = 60_000;
const limits = { wallMs: 120 * minute, silenceMs: 10 * minute, toolSilenceMs: 60 * minute, graceMs: 5_000 };
const fine: Seen = { age: minute, quiet: 0, idle: 0, tool: false, spared: false };

describe('the ladder', () => {
  test.each<[string, Partial<Seen>, StallAction]>([
    ['an agent that speaks', {}, 'watch'],
    ['one that has said nothing for a while', { quiet: minute, idle: minute }, 'probe'],
    ['a silent one whose processes work', { quiet: 30 * minute, idle: 1000 }, 'probe'],
    ['a dead stream', { quiet: 10 * minute + 1, idle: 10 * minute + 1 }, 'interrupt'],
    ['an idle tool of eleven minutes', { quiet: 11 * minute, idle: 11 * minute, tool: true }, 'probe'],
    ['a busy tool that nobody hears for an hour', { quiet: 61 * minute, idle: 0, tool: true }, 'interrupt'],
    ['a busy agent that nobody hears for an hour', { quiet: 61 * minute, idle: 0 }, 'interrupt'],
    ['the moment after an interruption', { interrupted: { ago: 4_999, answered: false } }, 'watch'],
    ['no answer to it', { interrupted: { ago: 5_000, answered: false } }, 'stop'],
    ['an answer to it', { interrupted: { ago: 5_000, answered: true } }, 'spare'],
    ['an answer to the second', { interrupted: { ago: 5_000, answered: true }, spared: true }, 'stop'],
    ['whatever took too long', { age: 121 * minute }, 'timeout'],
    [
      'too long, while interrupted',
      { age: 121 * minute, interrupted: { ago: 0, answered: true } },
      'timeout',
    ],
  ])('%s', (_, seen, rung) => {
    expect(nextStallAction({ ...fine, ...seen }, limits)).toBe(rung);
  });

  const ms = fc.nat(200 * minute);
  const seen = fc.record({
    age: fc.nat(limits.wallMs),
    quiet: ms,
    idle: ms,
    tool: fc.boolean(),
    spared: fc.boolean(),
  });

  it('never interrupts what shows a sign of life within its limits, and always what does not', () => {
    const holds = fc.check(
      fc.property(seen, (one) => {
        const alive = one.quiet <= limits.toolSilenceMs && (one.tool || one.idle <= limits.silenceMs);
        return (nextStallAction(one, limits) === 'interrupt') !== alive;
      }),
    );
    expect(holds.counterexample).toBeNull();
  });

  it('never stops for a stall what was not interrupted first, with its time to answer', () => {
    const holds = fc.check(
      fc.property(seen, fc.option(fc.record({ ago: ms, answered: fc.boolean() })), (one, interrupted) => {
        const rung = nextStallAction({ ...one, ...(interrupted && { interrupted }) }, limits);
        return rung !== 'stop' || (interrupted !== null && interrupted.ago >= limits.graceMs);
      }),
    );
    expect(holds.counterexample).toBeNull();
  });
});

test.each([
  [0, 0, 10_000, false],
  [150, 10_000, 10_000, false], // timers and heartbeats
  [300, 0, 10_000, true],
  [10, 0, 30, false], // a moment tells nothing
  [30, 0, 30, true],
  [0, 70_000, 10_000, true],
  [0, 70_000, 60_000, false],
])('%i ms of CPU and %i bytes in %i ms: work is %s', (cpuMs, ioBytes, overMs, expected) => {
  expect(works({ processes: 1, busy: 0, cpuMs, ioBytes }, overMs)).toBe(expected);
});

it('looks ten times per limit, and not more seldom than every five seconds', () => {
  expect(lookEvery(limits)).toBe(5_000);
  expect(lookEvery({ ...limits, silenceMs: 300 })).toBe(30);
  expect([slept(12_000, limits), slept(60_000, limits)]).toEqual([false, true]);
});

describe('the evidence', () => {
  it('says what was seen and done', () => {
    expect(
      evidenceText({
        quietMs: 612_000,
        last: { words: 'tool Bash began', at: '2026-03-01T02:14:07.000Z' },
        tools: ['Bash'],
        used: { use: { processes: 3, busy: 0, cpuMs: 120, ioBytes: 4096 }, overMs: 600_000 },
        interrupted: 'in vain',
      }),
    ).toBe(
      'no event or output for 10 min 12 s; the last event was "tool Bash began" at 2026-03-01T02:14:07.000Z; open: Bash; ' +
        'its 3 processes used 0.12 s of CPU, 4 kB read and written in the last 10 min 0 s; ' +
        'it did not react to an interruption (SIGINT) and was ended',
    );
  });

  it('says also what could not be seen', () => {
    expect(evidenceText({ quietMs: 500, tools: [], blind: 'EMFILE', interrupted: 'never' })).toBe(
      'no event or output for 0.5 s; it never said anything; no tool was open; its processes could not be looked at: EMFILE',
    );
  });
});
