import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limitIn, limitOf, resetFrom } from '../../src/adapters/classify.ts';

/** A Sunday evening in Berlin: 17:30 there, 16:30 UTC. */
const now = Date.parse('2026-11-15T16:30:00Z');

function localTimeIs(zone: string): void {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  onTestFinished(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
}

describe('a notice of a limit', () => {
  test.each<[string, string | undefined]>([
    ["You've hit your limit · resets 7pm (Europe/Berlin)", '2026-11-15T18:00:00.000Z'],
    ['You’ve hit your limit · resets 7pm (Europe/Berlin)', '2026-11-15T18:00:00.000Z'],
    ["You've hit your limit · resets 5pm (Europe/Berlin)", '2026-11-16T16:00:00.000Z'],
    ["You're out of extra usage · resets 2:30pm (America/New_York)", '2026-11-15T19:30:00.000Z'],
    ["You've hit your session limit · resets 3:45pm (UTC)", '2026-11-16T15:45:00.000Z'],
    ["You've hit your weekly limit · resets Nov 16, 7pm (Europe/Berlin)", '2026-11-16T18:00:00.000Z'],
    ["You've hit your Opus limit · resets Nov 18, 9am (Asia/Tokyo)", '2026-11-18T00:00:00.000Z'],
    ['5-hour limit reached ∙ resets 7pm (UTC)', '2026-11-15T19:00:00.000Z'],
    ['Weekly limit reached ∙ resets Mon 9:00 (UTC)', '2026-11-16T09:00:00.000Z'],
    ['Weekly limit reached ∙ resets Nov 30, 7pm (UTC)', undefined],
    [
      'Limit reached · resets 8pm (UTC) · /upgrade to Max or turn on /extra-usage',
      '2026-11-15T20:00:00.000Z',
    ],
    ['Spending cap reached resets 8am (UTC)', '2026-11-16T08:00:00.000Z'],
    ['Claude AI usage limit reached|1794771000', '2026-11-15T19:30:00.000Z'],
    ['usage limit reached|1731700800', undefined],
    ['Claude usage limit reached. Your limit will reset at 7pm (Europe/Berlin).', '2026-11-15T18:00:00.000Z'],
    ["You've hit your usage limit. Try again in 3h 12m.", '2026-11-15T19:42:00.000Z'],
    ["You've hit your limit · resets in 3h 12m", '2026-11-15T19:42:00.000Z'],
    ["You've hit your limit resets in 45m", '2026-11-15T17:15:00.000Z'],
    [
      "You've hit your usage limit. Upgrade to Pro (https://example.com/pro), visit https://example.com/usage to purchase more credits or try again at Nov 20th, 2026 6:05 PM (UTC).",
      '2026-11-20T18:05:00.000Z',
    ],
    [
      "You've hit your usage limit. Upgrade to Plus to continue using Codex, or try again in 3 days 4 hours 12 minutes.",
      '2026-11-18T20:42:00.000Z',
    ],
    ['Rate limit reached. Please try again in 20 seconds.', '2026-11-15T16:30:20.000Z'],
    [
      'Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2.5s.',
      '2026-11-15T16:30:02.500Z',
    ],
    ['Rate limit exceeded. Retry-After: 30', '2026-11-15T16:30:30.000Z'],
    ['Error: Rate limit exceeded, retry after 1 hour and 5 minutes', '2026-11-15T17:35:00.000Z'],
    [
      "Sorry, you've hit a rate limit that restricts the number of Copilot model requests you can make within a specific time period. Please try again in 2 hours.",
      '2026-11-15T18:30:00.000Z',
    ],
    ["You've been rate-limited. Please wait 90 seconds.", '2026-11-15T16:31:30.000Z'],
    [
      'You exceeded your current quota, please check your plan and billing details. Please retry in 20.5s.',
      '2026-11-15T16:30:20.500Z',
    ],
    [
      'You have exhausted your daily quota on this model. Resets at midnight (UTC).',
      '2026-11-16T00:00:00.000Z',
    ],
    ['Usage limit reached. Resets tomorrow at 7am (UTC)', '2026-11-16T07:00:00.000Z'],
    ['Usage limit reached, resets at 2026-11-15T20:00:00Z', '2026-11-15T20:00:00.000Z'],
    ['⚠ API Error: 429 Too Many Requests', undefined],
    ['429 Too Many Requests', undefined],
    ["You've hit your usage limit for this week.", undefined],
    ['Rate limit reached for requests', undefined],
    ['API Error: 429', undefined],
    ['Too many requests', undefined],
    ['exceeded retry limit, last status: 429 Too Many Requests', undefined],
    [
      'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"This would exceed your limit."}}',
      undefined,
    ],
    ["  You've hit your limit\n\n· resets 7pm (UTC)\n", '2026-11-15T19:00:00.000Z'],
  ])('%s', (text, resetAt) => {
    expect(limitIn(text, now)).toEqual(resetAt === undefined ? {} : { resetAt });
  });

  test.each([
    'Rate limit reached is now handled: the client waits for Retry-After.',
    "You've hit your limit is the message that the CLI prints. I now parse it.",
    "You've hit your limit of three retries, so the job was stopped.",
    'Rate limit exceeded errors are retried in `client.ts` now.',
    'Rate limiting is done. Resets at 7pm (UTC).',
    "You've hit your limit. I added a handler for it.",
    "You've hit your limit · resets 7pm. The tests pass.",
    'Rate limit reached. The handler in limit.ts sleeps until then.',
    'Usage limit reached: all 12 tests are green',
    'Too many requests were sent by the test, so I batched them.',
    '429 tests pass.',
    '429',
    'The answer is 429.',
    'Added a limit notice: "You\'ve hit your limit · resets 7pm (Europe/Berlin)".',
    "The CLI says:\n\nYou've hit your limit · resets 7pm (Europe/Berlin)",
    'Approaching usage limit · resets at 7pm',
    '{"status":"success","summary":"Rate limit reached is handled"}',
    'if (limitReached) throw new Error("Rate limit exceeded");',
    'Your limit is 5 files per commit.',
    'Rate limit reached for user 5 in the fixture.',
    'Rate limit exceeded on line 40 was a false alarm.',
    "You've reached your limit on open files.",
    'Usage limit reached in three of the modules.',
    'Resets at 7pm (UTC)',
    'Quota exceeded handling: done. See the diff.',
    'I hit a rate limit on the way, waited, and finished.',
    '',
    `You've hit your limit · resets 7pm${' and so on'.repeat(50)}`,
  ])('is not: %s', (text) => {
    expect(limitIn(text, now)).toBeUndefined();
  });

  test('a reset is never in the past, whatever the words', () => {
    const words = fc.constantFrom(
      'rate',
      'limit',
      'usage',
      'reached',
      'your',
      'for',
      ' ',
      '-',
      '.',
      '·',
      'resets',
      '7',
      'pm',
      '{',
      'Error:',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 120 }), (parts) => {
        const text = parts.join(' ');
        const limit = limitIn(text, now);
        expect(limit?.resetAt === undefined || Date.parse(limit.resetAt) > now).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the time of a reset', () => {
  test('without a zone is local', () => {
    localTimeIs('America/Los_Angeles');
    expect(limitIn('Usage limit reached. Try again at 18:05', now)).toEqual({
      resetAt: '2026-11-16T02:05:00.000Z',
    });
  });

  test('in an unknown zone is local, and says so', () => {
    localTimeIs('Asia/Tokyo');
    expect(limitIn("You've hit your limit · resets 7am (Mars/Olympus)", now)).toEqual({
      resetAt: '2026-11-15T22:00:00.000Z',
      note: 'the time zone "Mars/Olympus" is unknown here; the time was read as local (Asia/Tokyo)',
    });
  });

  test.each<[string, string, string, string]>([
    [
      'the clocks go back before it',
      '2026-10-25T00:30:00Z',
      '7pm (Europe/Berlin)',
      '2026-10-25T18:00:00.000Z',
    ],
    [
      'the clocks go forward before it',
      '2026-03-29T00:30:00Z',
      '7pm (Europe/Berlin)',
      '2026-03-29T17:00:00.000Z',
    ],
    [
      'the hour comes twice: the later one',
      '2026-10-24T20:00:00Z',
      '2:30am (Europe/Berlin)',
      '2026-10-25T01:30:00.000Z',
    ],
    [
      'the hour is left out: the moment after',
      '2026-03-28T20:00:00Z',
      '2:30am (Europe/Berlin)',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'tomorrow is the day the clocks change',
      '2026-03-28T19:00:00Z',
      '7pm (Europe/Berlin)',
      '2026-03-29T17:00:00.000Z',
    ],
    ['over the end of a year', '2026-12-31T20:00:00Z', 'Jan 2, 7pm (UTC)', '2027-01-02T19:00:00.000Z'],
    [
      'it is tomorrow there already',
      '2026-11-15T16:30:00Z',
      '9am (Pacific/Auckland)',
      '2026-11-15T20:00:00.000Z',
    ],
    [
      'half an hour beside the others',
      '2026-11-15T16:30:00Z',
      '11pm (Asia/Kolkata)',
      '2026-11-15T17:30:00.000Z',
    ],
    ['an abbreviation', '2026-11-15T16:30:00Z', '9am PST', '2026-11-15T17:00:00.000Z'],
    ['12am is midnight', '2026-11-15T16:30:00Z', '12am (UTC)', '2026-11-16T00:00:00.000Z'],
    ['12pm is noon', '2026-11-15T16:30:00Z', '12pm (UTC)', '2026-11-16T12:00:00.000Z'],
    ['dots', '2026-11-15T16:30:00Z', '7:05 p.m. (UTC)', '2026-11-15T19:05:00.000Z'],
    ['the day first', '2026-11-15T16:30:00Z', '16 Nov at 19:00 UTC', '2026-11-16T19:00:00.000Z'],
    ['the same weekday, later', '2026-11-15T16:30:00Z', 'Sunday 7pm (UTC)', '2026-11-15T19:00:00.000Z'],
    ['the same weekday, over', '2026-11-15T16:30:00Z', 'Sunday 9am (UTC)', '2026-11-22T09:00:00.000Z'],
  ])('%s', (_case, at, words, resetAt) => {
    expect(limitOf(`You've hit your limit · resets ${words}`, Date.parse(at))).toEqual({ resetAt });
  });

  test.each([
    'resets 25:00',
    'resets 13pm (UTC)',
    'resets 7',
    'resets Nov 30, 7pm (UTC)',
    'resets Nov 14, 7pm (UTC)',
    'resets in 9 days',
    'resets in 0 seconds',
    'resets at 2020-01-01T00:00:00Z',
    'resets 99999999999999',
    'resets soon',
    'try again in a while',
  ])('is not told: %s', (words) => {
    expect(limitOf(words, now)).toEqual({});
  });

  test('that has just passed is no day of waiting', () => {
    const at = Date.parse('2026-11-15T19:00:00Z');
    const words = "You've hit your limit · resets 7pm (UTC)";
    expect(limitIn(words, at - 1000)).toEqual({ resetAt: '2026-11-15T19:00:00.000Z' });
    expect(limitIn(words, at + 30_000)).toEqual({});
    expect(limitIn(words, at + 600_000)).toEqual({ resetAt: '2026-11-16T19:00:00.000Z' });
  });

  test('is that of the zone for every zone and hour', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 365 }),
        (zone, hour, days) => {
          const at = now + days * 86_400_000;
          const { resetAt } = limitOf(`resets ${hour}:00 (${zone})`, at);
          if (resetAt === undefined) return;
          const ahead = Date.parse(resetAt) - at;
          expect(ahead).toBeGreaterThan(0);
          expect(ahead).toBeLessThanOrEqual(26 * 3_600_000);
          const shown = (instant: number): number =>
            Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit' }).format(instant));
          const shownThen = shown(Date.parse(resetAt));
          const jump = (shownThen - shown(Date.parse(resetAt) - 3 * 3_600_000) + 24) % 24;
          // Only where the clocks leave the hour out may they show another one.
          expect(shownThen === hour || jump !== 3).toBe(true);
        },
      ),
    );
  });
});

describe('the fields of an event', () => {
  test.each<[object, string | undefined]>([
    [{ resetsAt: now / 1000 + 60 }, '2026-11-15T16:31:00.000Z'],
    [{ resetsAt: now + 60_000 }, '2026-11-15T16:31:00.000Z'],
    [{ resetsAt: String(now / 1000 + 60) }, '2026-11-15T16:31:00.000Z'],
    [{ resetsAt: '2026-11-15T17:31:00+01:00' }, '2026-11-15T16:31:00.000Z'],
    [{ retryAfter: 60 }, '2026-11-15T16:31:00.000Z'],
    [{ retryAfter: '60' }, '2026-11-15T16:31:00.000Z'],
    [{ retryAfter: 'Sun, 15 Nov 2026 16:31:00 GMT' }, '2026-11-15T16:31:00.000Z'],
    [{ resetsAt: 1, retryAfter: 60 }, '2026-11-15T16:31:00.000Z'],
    [{ resetsAt: now / 1000 + 9 * 86_400 }, undefined],
    [{ resetsAt: now / 1000 - 1 }, undefined],
    [{ resetsAt: 'soon' }, undefined],
    [{ resetsAt: Number.NaN }, undefined],
    [{ retryAfter: 0 }, undefined],
    [{ retryAfter: -5 }, undefined],
    [{ retryAfter: 1e300 }, undefined],
    [{}, undefined],
  ])('%j', (fields, resetAt) => {
    expect(resetFrom(fields, now)).toBe(resetAt);
  });
});
