import { describe, expect, it } from 'vitest';
import { DocketError } from '../../../src/errors.ts';
import type { Finding } from '../../../src/surfaces/cli/frame/world.ts';
import { docket, json } from './fake-world.ts';

const error: Finding = {
  severity: 'error',
  path: '/project/.takt/tasks.yaml',
  line: 3,
  column: 5,
  message: 'status is missing',
  fix: 'add status: pending',
};
const note: Finding = { severity: 'note', path: '/elsewhere/x', message: 'odd', fix: '' };

describe('docket validate', () => {
  it('checks the root without a path', async () => {
    const ended = await docket(['validate'], { checks: { '/project': [error, note] } });
    expect(ended).toMatchObject({ code: 2, stderr: '1 error in 1 file\n' });
    expect(ended.stdout.split('\n')).toEqual([
      '.takt/tasks.yaml:3:5 error status is missing',
      '  fix: add status: pending',
      '/elsewhere/x note odd',
      '',
    ]);
  });

  it('ends with 0 when there is no error', async () => {
    expect(await docket(['validate'])).toMatchObject({ code: 0, stdout: '', stderr: 'No problems found.\n' });
    const noted = await docket(['validate'], { checks: { '/project': [note] } });
    expect(noted).toMatchObject({ code: 0, stderr: 'No errors; 1 remark.\n' });
    expect(await docket(['validate', '--quiet'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('checks several paths, each once, without opening a root', async () => {
    const checks = { '/project/a': [error], '/b': [{ ...error, path: '/b' }] };
    const ended = await docket(['validate', 'a', './a', '/b', 'c'], { checks });
    expect(ended).toMatchObject({ code: 2, opened: [], stderr: '2 errors in 2 files\n' });
    expect(ended.stdout.match(/status is missing/g)).toHaveLength(2);
  });

  it('goes on after a path that cannot be checked, and ends with its code', async () => {
    const gone = new DocketError('NOT_FOUND', 'no such file', 'check the path');
    const checks = { '/project/a': gone, '/project/b': [error] };
    const ended = await docket(['validate', 'a', 'b'], { checks });
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('a error no such file\n  fix: check the path\n.takt/tasks.yaml:3:5 error');
    expect(json(await docket(['validate', 'a', 'b', '--json'], { checks }))).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND' },
      findings: [{ message: 'no such file' }, error],
    });
  });

  it('answers in JSON', async () => {
    const bad = await docket(['validate', '--json'], { checks: { '/project': [error] } });
    expect([bad.code, bad.stderr]).toEqual([2, '']);
    expect(json(bad)).toMatchObject({
      v: 1,
      ok: false,
      error: {
        code: 'INVALID',
        message: '1 error in 1 file: /project/.takt/tasks.yaml:3:5: status is missing',
        data: { errors: 1, warnings: 0 },
      },
      findings: [error],
    });
    const good = await docket(['validate', '--json'], { checks: { '/project': [note] } });
    expect(json(good)).toEqual({ v: 1, ok: true, findings: [note] });
  });
});
