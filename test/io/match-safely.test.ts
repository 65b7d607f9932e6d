import { afterEach, describe, expect, it } from 'vitest';
import { SafeMatcher } from '../../src/io/match-safely.ts';

const matchers: SafeMatcher[] = [];
const matcher = (milliseconds?: number): SafeMatcher => {
  const made = new SafeMatcher(milliseconds === undefined ? {} : { milliseconds });
  matchers.push(made);
  return made;
};
const by = (source: string, flags = 'g') => ({ source, flags, replacement: '[X]' });
const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

afterEach(async () => {
  await Promise.all(matchers.splice(0).map((made) => made.close()));
});

describe('patterns that nobody has checked', () => {
  it('replace everywhere, one after the other, and the replacement is taken as it is', async () => {
    const safe = matcher();
    const patterns = [by('a+', ''), { source: 'B', flags: 'gi', replacement: '$&$1' }];
    expect(await safe.replaceAll('aab A', patterns)).toBe('[X]$&$1 A');
    expect(await safe.replaceAll('xax', [by('a*')])).toBe('x[X]x');
  });

  it('cost nothing when there are none', async () => {
    const before = threads();
    expect(await matcher().replaceAll('text', [])).toBe('text');
    expect(threads()).toBe(before);
  });

  it('are stopped and named when they do not end, and the next call works', async () => {
    const safe = matcher(300);
    const hostile = [by('x'), by('(a+)+$')];
    const text = `x${'a'.repeat(60)}!`;
    await expect(safe.replaceAll(text, hostile)).rejects.toMatchObject({
      code: 'INVALID',
      message: 'the pattern "(a+)+$" takes more than 300 ms',
      data: { pattern: '(a+)+$' },
    });
    expect(await safe.replaceAll('x', [by('x')])).toBe('[X]');
  });

  it('are an error when they are none', async () => {
    await expect(matcher().replaceAll('x', [by('ok'), by('(')])).rejects.toMatchObject({
      code: 'INVALID',
      data: { pattern: '(' },
    });
  });

  it('wait for each other', async () => {
    const safe = matcher(300);
    const results = await Promise.allSettled([
      safe.replaceAll('a', [by('a')]),
      safe.replaceAll(`${'a'.repeat(60)}!`, [by('(a+)+$')]),
      safe.replaceAll('b', [by('b')]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('are not blamed for the time that this thread was busy', async () => {
    const safe = matcher(300);
    await safe.replaceAll('a', [by('a')]);
    const answer = safe.replaceAll('a', [by('a'), by('b')]);
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);
    expect(await answer).toBe('[X]');
  });

  it('take ten megabytes', async () => {
    const text = 'key ACME-123 '.repeat(800_000);
    expect(await matcher(20_000).replaceAll(text, [by(String.raw`ACME-\d+`)])).toBe(
      'key [X] '.repeat(800_000),
    );
  });
});
