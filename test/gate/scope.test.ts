import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notToApply, outOfScope, watchedBy } from '../../src/gate/scope.ts';

const outside = (allow: string[], deny: string[], ...paths: string[]): string[] =>
  outOfScope(
    paths.map((path) => ({ path })),
    { allow, deny },
  ).map(({ path }) => path);

describe('a link', () => {
  const links: Record<string, string> = {
    'src/up': '..',
    'src/out': '../..',
    'src/by/link': '../up/..',
    'src/back': '../src/up/src/a.ts',
    'src/file/x': 'y',
    'src/round': 'round',
    modules: '/home/me/project/modules',
    'src/installed': '../modules/x',
    'src/far': '/etc/passwd',
  };
  it.each([
    ['src/up', false],
    ['src/out', true],
    ['src/by/link', true],
    ['src/back', false],
    ['src/file/x', false],
    ['src/round', false],
    ['src/installed', false],
    ['src/far', true],
  ])('%s leads out of the tree: %s', (path, isOut) => {
    const found = notToApply([{ path, kind: 'symlink' }], { allow: ['src/'], deny: [] }, (at) => links[at]);
    expect(found).toHaveLength(isOut ? 1 : 0);
  });
});

describe('scope', () => {
  it('allows a file, a folder with all in it, and what a pattern means', () => {
    const paths = [
      'src/a.ts',
      'src/deep/b.ts',
      'srcx/c.ts',
      'SRC/a.ts',
      'package.json',
      'docs/x.md',
      'docs/d/y.md',
    ];
    expect(outside(['src', './package.json', 'docs/*.md'], [], ...paths)).toEqual([
      'srcx/c.ts',
      'SRC/a.ts',
      'docs/d/y.md',
    ]);
    expect(outside(['src/'], [], 'src', 'src/a')).toEqual(['src']);
    expect(outside(['.'], [], 'any/thing')).toEqual([]);
    expect(outside(['packages/*/src/'], [], 'packages/a/src/b/c.ts', 'packages/a/x')).toEqual([
      'packages/a/x',
    ]);
  });

  it('takes a name for a name, also one that looks like a pattern', () => {
    expect(outside(['app/[id]/page.tsx', '!x'], [], 'app/[id]/page.tsx', '!x', 'y')).toEqual(['y']);
  });

  it('allows nothing without an entry', () => {
    expect(outside([], [], 'a')).toEqual(['a']);
  });

  it('lets deny win, with all below what a pattern denies', () => {
    const paths = ['src/a.ts', 'src/secrets/b', 'src/.env', 'src/x/.env.local', 'src/x\n/.env.local'];
    expect(outside(['src'], ['**/.env*', 'src/sec*'], ...paths)).toEqual(paths.slice(1));
    expect(outOfScope([{ path: 'src/.env' }], { allow: ['src'], deny: ['**/.env*'] })).toEqual([
      { path: 'src/.env', reason: 'is denied by "**/.env*" in scope.deny' },
    ]);
  });

  it("never counts docket's own folders, and never allows git's", () => {
    const paths = [
      '.docket/x',
      '.tmp/task/t/manifest.yaml',
      '.tmp/taskx',
      '.git/hooks/pre-commit',
      'sub/.GIT/config',
    ];
    expect(outside(['**'], [], ...paths)).toEqual(['.git/hooks/pre-commit', 'sub/.GIT/config']);
  });

  it('refuses entries that lead out of the work tree', () => {
    for (const entry of ['../x', 'a/../../b', '/etc', 'C:/x', 'a\\b', ' ', ''])
      for (const scope of [
        { allow: [entry], deny: [] },
        { allow: [], deny: [entry] },
      ])
        expect(() => outOfScope([], scope)).toThrow(/no path inside the work tree/);
  });

  it('allows a path exactly when a folder that holds it is allowed, whatever its name', () => {
    const name = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => !/[/\\\0]|^\.{1,2}$|^.:|^\s*$/.test(text));
    fc.assert(
      fc.property(name, name, (folder, file) => {
        fc.pre(folder.toLowerCase() !== '.git' && file.toLowerCase() !== '.git' && folder !== '.docket');
        expect(outside([folder], [], `${folder}/${file}`)).toEqual([]);
        expect(outside([`${folder}/${file}`], [`${folder}/`], `${folder}/${file}`)).toHaveLength(1);
      }),
    );
  });

  it('tells what to watch although git ignores it', () => {
    const { below, matches } = watchedBy({ allow: [], deny: ['.env', 'secrets/', 'conf/*.key', '**/*.pem'] });
    expect(below).toEqual(['.env', 'secrets', 'conf', '.']);
    expect(
      ['.env', 'secrets/a', 'conf/a.key', 'x/y.pem', 'other'].filter((path) => matches(path)),
    ).toHaveLength(4);
  });
});
