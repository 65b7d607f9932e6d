import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tryGitInTurn } from '../../src/io/git.ts';
import { scratch } from '../support/scratch.ts';

describe('calls of git in one shell', () => {
  const repository = () => {
    const folder = scratch();
    execFileSync('git', ['init', '--quiet', folder]);
    return folder;
  };

  it('take every word as it is', async () => {
    const folder = repository();
    const words = ['$(touch x)', '`touch x`', '"; touch x; "', "'", 'a b', '', '*', 'ä\nb', '-x', '\\'];
    const calls = words.map((word, at) => ['config', '--add', `t.k${at}`, word]);
    const { code, stdout } = await tryGitInTurn(folder, [
      ...calls,
      ['config', '-z', '--local', '--get-regexp', String.raw`^t\.`],
    ]);
    expect(code).toBe(0);
    expect(stdout.split('\0').slice(0, -1)).toEqual(words.map((word, at) => `t.k${at}\n${word}`));
    expect(fs.existsSync(path.join(folder, 'x'))).toBe(false);
  });

  it('end with the first that fails, and hand the input to the one that reads it', async () => {
    const folder = repository();
    const calls = [
      ['config', 't.k', 'v'],
      ['hash-object', '-w', '--stdin'],
      ['rev-parse', '--verify', 'HEAD'],
      ['config', 't.late', 'v'],
    ];
    const { code, stdout, stderr } = await tryGitInTurn(folder, calls, { input: 'text\n' });
    expect([code, stdout.trim(), stderr]).toEqual([
      128,
      '8e27be7d6154a1f68ea9160ef0e18691d20560dc',
      expect.stringContaining('single revision'),
    ]);
    expect(fs.readFileSync(path.join(folder, '.git/config'), 'utf8')).not.toContain('late');
  });
});
