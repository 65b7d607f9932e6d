import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchProblem } from '../../../../src/kinds/queue/format/rules.ts';

const names = [
  'main',
  'takt/20260301-fix',
  'a.b',
  'ä/ü',
  'a@b',
  '@a',
  'a{b',
  'x.lockx',
  '-a',
  'a-',
  'HEAD',
  'a/HEAD',
  'head',
  '',
  'a b',
  'a..b',
  'a@{b',
  '.a',
  'a/.b',
  'a.',
  'a./b',
  'a.lock',
  'a.lock/b',
  '/a',
  'a/',
  'a//b',
  'a~',
  'a^',
  'a:',
  'a?',
  'a*',
  'a[',
  'a]',
  'a\\',
  'a\u007F',
  'a\tb',
  'refs/heads/HEAD',
];

/** What git itself says. */
function gitTakes(name: string): boolean {
  return spawnSync('git', ['check-ref-format', '--branch', name]).status === 0;
}

describe('branchProblem', () => {
  it('has git to ask', () => {
    expect(execFileSync('git', ['--version'], { encoding: 'utf8' })).toContain('git version');
  });

  it.each(names)('agrees with git about %j', (name) => {
    expect(branchProblem(name) === undefined).toBe(gitTakes(name));
  });

  it('refuses "@", which git takes and then reads as HEAD', () => {
    expect(branchProblem('@')).toBe('is a word of git itself');
  });

  it('agrees with git about words of the letters that matter', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...'a . / @ { - ~ ^ : ? * [ \\ l o c k'.split(' '), ' '),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(hostile, (name) => {
        fc.pre(name !== '@');
        expect(branchProblem(name) === undefined).toBe(gitTakes(name));
      }),
      { numRuns: 150 },
    );
  });
});
