import { describe, expect, it } from 'vitest';
import { DocketError } from '../../../src/errors.ts';
import { docket, json } from './fake-world.ts';

describe('errors', () => {
  it('say what, where and what to do, without a stack', async () => {
    const fail = new DocketError('BAD_FILE', 'bad indentation', 'indent by two', {
      path: 'a.yaml',
      line: 3,
      column: 5,
    });
    const { code, stdout, stderr } = await docket(['list'], { fail });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('error: bad indentation\n  at: a.yaml:3:5\n  fix: indent by two\n');
  });

  it('do not say twice where', async () => {
    const fail = new DocketError('NOT_FOUND', 'no folder a/b', 'make it', { path: 'a/b' });
    expect((await docket(['list'], { fail })).stderr).toBe('error: no folder a/b\n  fix: make it\n');
  });

  it.each([
    ['USAGE', 2],
    ['NOT_FOUND', 3],
    ['REFUSED', 4],
    ['LOCK_TIMEOUT', 75],
    ['IO', 1],
  ] as const)('%s ends with %i', async (name, code) => {
    const fail = new DocketError(name, 'm', 'f', { id: 't1' });
    expect((await docket(['list'], { fail })).code).toBe(code);
    const ended = await docket(['--json', 'list', '--quiet'], { fail });
    expect([ended.code, ended.stderr]).toEqual([code, '']);
    const error = { code: name, message: 'm', fix: 'f', commands: [], data: { id: 't1' } };
    expect(json(ended)).toEqual({ v: 1, ok: false, error });
  });

  it('that nobody knows end with 1, ask for a report and show a stack only to those who debug', async () => {
    const fail = new TypeError('x is not a function');
    const plain = await docket(['list'], { fail });
    expect(plain.code).toBe(1);
    expect(plain.stderr).toMatch(/x is not a function\n {2}fix: please report it/);
    expect(plain.stderr).not.toContain('    at ');
    const debug = await docket(['list'], { fail, env: { DOCKET_DEBUG: '1' } });
    expect(debug.stderr).toContain('    at ');
    expect(json(await docket(['list', '--json'], { fail: 'odd' }))).toMatchObject({
      ok: false,
      error: { code: 'INTERNAL', message: expect.stringContaining('odd') },
    });
  });

  it('cannot be used to write escapes to the terminal', async () => {
    const fail = new DocketError('BAD_FILE', 'bad \u001B[2Jname\nerror: fake', 'x\u0007', {
      path: '\u202Ea',
    });
    const { stderr } = await docket(['list'], { fail });
    expect(stderr).toBe('error: bad \\e[2Jname\n  error: fake\n  at: \\u{202e}a\n  fix: x\\x07\n');
    expect((await docket(['\u001B[2J'])).stderr).toContain(String.raw`unknown command "\e[2J"`);
  });

  it('of usage are JSON too when the line asks for it', async () => {
    for (const argv of [
      ['lst', '--json'],
      ['--json', 'list', '--nope'],
      ['add', '--name', '--json'],
    ]) {
      const ended = await docket(argv);
      expect(ended.code).toBe(2);
      expect(json(ended)).toMatchObject({ v: 1, ok: false, error: { code: 'USAGE' } });
    }
    expect((await docket(['lst', '--', '--json'])).stdout).toBe('');
  });

  it('are coloured on a terminal only, and not when somebody minds', async () => {
    const red = '\u001B[31merror:';
    expect((await docket(['lst'], { tty: true })).stderr).toContain(red);
    for (const env of [{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }]) {
      expect((await docket(['lst'], { tty: true, env })).stderr).not.toContain('\u001B');
    }
    expect((await docket(['lst', '--no-color'], { tty: true })).stderr).not.toContain('\u001B');
  });
});
