import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkArchitecture } from './support/architecture.ts';

function readSources(): Map<string, string> {
  const root = new URL('../', import.meta.url);
  const names = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' });
  const paths = names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join('src', name.replaceAll('\\', '/')));
  return new Map(paths.toSorted().map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
}

/** Checks one file among a few that exist in every case below. */
function check(path: string, source: string): string[] {
  const others = [
    'src/project/docket.ts',
    'src/errors.ts',
    'src/task/model.ts',
    'src/io/files.ts',
    'src/store/journal.ts',
    'src/store/file/journal.ts',
  ];
  return checkArchitecture(new Map([...others.map((other) => [other, ''] as const), [path, source]]));
}

describe('architecture', () => {
  it('holds for src', () => {
    const sources = readSources();
    expect(sources.size).toBeGreaterThan(0);
    expect(checkArchitecture(sources)).toEqual([]);
  });

  it.each([
    ['a module below', 'src/store/a.ts', `import { x } from '../task/model.ts';`],
    ['the same module', 'src/task/deep/a.ts', `export { x } from '../model.ts';`],
    ['errors', 'src/task/a.ts', `import { DocketError } from '../errors.ts';`],
    ['node:fs in io', 'src/io/a.ts', `import { readFileSync } from 'node:fs';`],
    ['node:crypto in a pure module', 'src/task/a.ts', `import { createHash } from 'node:crypto';`],
    ['types of task in surface', 'src/surfaces/cli/a.ts', `import type { Task } from '../../task/model.ts';`],
    ['node:process in surface', 'src/surfaces/cli/a.ts', `import process from 'node:process';`],
    ['zod', 'src/task/a.ts', `import { z } from 'zod';`],
    ['some of the kinds', 'src/project/a.ts', `const own = { queue: 1, board: 2 };`],
    ['the public index', 'src/index.ts', `export { open } from './project/docket.ts';`],
    [
      'text that only looks like an import',
      'src/task/a.ts',
      'const t = `import "node:fs"`; // import "node:fs"',
    ],
    ['a vendor in its own folder', 'src/adapters/codex/a.ts', `const name = 'codex';`],
    [
      'a command as data',
      'src/project/a.ts',
      'const todo = fix`see ${command`show ${id}`}; docket shows it`;',
    ],
    ['a command line where it is read', 'src/surfaces/a.ts', `const usage = 'docket show <task>';`],
    ['300 lines', 'src/task/a.ts', '//\n'.repeat(300)],
  ])('allows %s', (_what, path, source) => {
    expect(check(path, source)).toEqual([]);
  });

  it.each([
    [
      'a module above',
      'src/task/a.ts',
      `import { x } from '../store/journal.ts';`,
      'task may not import store',
    ],
    [
      'a type from above',
      'src/task/a.ts',
      `import type { X } from '../io/files.ts';`,
      'task may not import io',
    ],
    [
      'a list of all kinds',
      'src/project/a.ts',
      `const all = ['queue', 'task', 'packet', 'board'];`,
      'lists all kinds',
    ],
    [
      'a union of all kinds',
      'src/settings/a.ts',
      `type Kind = 'board' | 'queue' | 'task' | 'packet';`,
      'lists all kinds',
    ],
    [
      'a table of all kinds',
      'src/surfaces/cli/a.ts',
      `const words = {\n  queue: 'a',\n  task: { b: 'b' },\n  packet: 'c',\n  board: () => 'd',\n};`,
      'lists all kinds',
    ],
    ['a test for a kind', 'src/project/a.ts', `if (found.kind === 'packet') stop();`, 'tells kinds apart'],
    ['a re-export from above', 'src/task/a.ts', `export * from '../io/files.ts';`, 'task may not import io'],
    ['a dynamic import', 'src/task/a.ts', `await import('../io/files.ts');`, 'task may not import io'],
    [
      'an import in a type',
      'src/task/a.ts',
      `type X = import('../io/files.ts').X;`,
      'task may not import io',
    ],
    ['a computed import', 'src/project/docket.ts', 'await import(`./${name}.ts`);', 'computed name'],
    [
      'a value of task in surface',
      'src/surfaces/a.ts',
      `import { x } from '../task/model.ts';`,
      '"import type" only',
    ],
    [
      'surface past project',
      'src/surfaces/a.ts',
      `import { x } from '../store/journal.ts';`,
      'surfaces may import store with',
    ],
    [
      'project from errors',
      'src/errors.ts',
      `import './project/docket.ts';`,
      'errors may not import project',
    ],
    [
      'the files of a store',
      'src/engine/a.ts',
      `await import('../store/file/journal.ts');`,
      'only store may open the files of a store',
    ],
    [
      'node:fs outside io',
      'src/store/a.ts',
      `import { readFileSync } from 'node:fs';`,
      'only io may import node:fs',
    ],
    [
      'fs without node:',
      'src/store/a.ts',
      `import fs from 'fs/promises';`,
      'only io may import node:fs/promises',
    ],
    [
      'child processes',
      'src/engine/a.ts',
      `import 'node:child_process';`,
      'only io may import node:child_process',
    ],
    [
      'node:process in engine',
      'src/engine/a.ts',
      `import 'node:process';`,
      'only io may import node:process',
    ],
    ['node:path in a pure module', 'src/layout/a.ts', `import 'node:path';`, 'layout is pure'],
    ['an unknown package', 'src/store/a.ts', `import 'left-pad';`, 'may not import the package left-pad'],
    [
      'native locks outside io',
      'src/store/a.ts',
      `import 'fs-native-extensions';`,
      'may not import the package',
    ],
    ['a path without .ts', 'src/store/a.ts', `import '../task/model.js';`, 'not a source file'],
    ['a barrel', 'src/task/index.ts', `export * from './model.ts';`, 'is a barrel'],
    ['an unknown module', 'src/utils/a.ts', '', '"utils" is not a module'],
    ['a vendor elsewhere', 'src/project/a.ts', `const is = name === 'codex';`, 'names the vendor codex'],
    ['a command line in a string', 'src/project/a.ts', `const todo = 'see docket show';`, 'use command`...`'],
    ['a command line in a template', 'src/task/a.ts', 'const todo = `docket retry ${id}`;', 'in a string'],
    ['301 lines', 'src/task/a.ts', '//\n'.repeat(301), 'more than 300'],
  ])('refuses %s', (_what, path, source, problem) => {
    expect(check(path, source)).toEqual([expect.stringContaining(problem)]);
  });
});
