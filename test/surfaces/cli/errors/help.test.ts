import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../../src/errors.ts';
import { docket, json } from '../fake-world.ts';

describe('docket help errors', () => {
  it('is one screen that has every code', async () => {
    const { code, stdout } = await docket(['help', 'errors']);
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length <= 24, lines.filter((line) => line.length > 80)]).toEqual([0, true, []]);
    for (const { code, exitCode } of errorCodes)
      expect(stdout).toMatch(new RegExp(String.raw`^ {2}${code} +${exitCode} {2}[A-Z]`, 'm'));
  });

  it('tells more about one of them', async () => {
    const { stdout } = await docket(['help', 'LOCK_TIMEOUT']);
    expect(stdout).toMatch(/^LOCK_TIMEOUT, exit code 75\n\nAnother process .*\nTry again/);
    expect(json(await docket(['help', 'RUN', '--json']))).toMatchObject({
      ok: true,
      errors: [{ code: 'RUN' }],
    });
    expect(json(await docket(['help', 'NOPE', '--json']))).toMatchObject({
      ok: false,
      error: { code: 'USAGE' },
    });
  });
});
