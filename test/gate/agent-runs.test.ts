import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toldOf, type AgentRun } from '../../src/gate/agent-runs.ts';

const run = (line: string, ok: boolean | null = true, isStale = false): AgentRun => ({ line, ok, isStale });

describe('a command that a report names', () => {
  it.each([
    ['npm test', 'npm test'],
    ['npm test', '/bin/bash -lc "cd web && CI=1 npm test -- --run 2>&1 | tail -20"'],
    ['npm test', "bash -lc 'set -o pipefail; npm   test | tee log'"],
    ['cd web && npm test 2>&1 | tail -5', 'npm test'],
    ['CI=1 npm test > out.log', '/bin/sh -c "npm test"'],
    ['npx vitest run test/a.test.ts', './node_modules/.bin/vitest run /repo/test/a.test.ts'],
    ['python -m pytest -q', 'pytest -q tests'],
    ['npm test -- -t "a && b"', String.raw`bash -lc "npm test -- -t \"a && b\""`],
    ['npm run lint && npm test', 'npm run lint\nnpm test'],
    ['go test ./...', "cat > x <<'EOF'\nhello\nEOF\ngo test ./..."],
    ['./scripts/check.sh --all', 'sh scripts/check.sh --fast --all'],
    ['make', 'time make -j4'],
  ])('%j was run by %j', (named, line) => expect(toldOf(named, [run(line)])).toBe('ran'));

  it('may have been run in two calls', () => {
    expect(toldOf('npm run lint && npm test', [run('npm test'), run('npm run lint')])).toBe('ran');
    expect(toldOf('npm run lint && npm test', [run('npm test')])).toBe('never');
  });

  it.each([
    ['npm test', 'npm install'],
    ['npm test', 'test npm'],
    ['npm run test:e2e', 'npm run test'],
    ['npx vitest run test/a.test.ts', 'npx vitest run test/b.test.ts'],
    ['make', 'cmake .'],
  ])('%j was not run by %j', (named, line) => expect(toldOf(named, [run(line)])).toBe('never'));

  it.each([
    'the tests pass',
    'make sure that the page opens',
    'npm test: 12 passed',
    'npm test (12 tests)',
    'npm test → ok',
    'npm test passed',
    'npm test ...',
    'looked at the page by hand',
    'Ran npm test',
    '../../outside',
    'node <file>',
    '',
  ])('%j is not certain to be one', (named) => expect(toldOf(named, [])).toBe('unknown'));

  it.each<[string, AgentRun[], string]>([
    ['it failed', [run('npm test'), run('bash -lc "npm test"', false)], 'failed'],
    ['in another form only', [run('npm test -- --run', false)], 'failed'],
    ['it passed in the end', [run('npm test', false), run('npm test')], 'ran'],
    ['it passed in another form in the end', [run('npm test', false), run('npm test -- --run')], 'ran'],
    ['a part of it failed', [run('npm test'), run('npm test -- -t odd', false)], 'ran'],
    ['something with it failed', [run('npm test && npm run lint', false)], 'ran'],
    ['a pipe failed', [run('npm test | grep -q odd', false)], 'ran'],
    ['its opposite failed', [run('! npm test', false)], 'ran'],
    ['nobody said how it ended', [run('npm test', null)], 'ran'],
    ['something was changed afterwards', [run('npm test', true, true)], 'stale'],
  ])('%s', (_, runs, expected) => expect(toldOf('npm test', runs)).toBe(expected));

  it('may say no with its exit code', () => {
    expect(toldOf("rg -n 'oldName' src", [run("rg -n 'oldName' src", false)])).toBe('ran');
    expect(toldOf('git diff --exit-code', [run('git diff --exit-code', false)])).toBe('ran');
  });

  it('is the same however it is spaced, quoted and wrapped', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9./:-]{0,8}[a-z0-9]$/);
    const space = fc.stringMatching(/^[ \t]{1,3}$/);
    const quoting = fc.constantFrom<((text: string) => string)[]>(
      (text) => text,
      (text) => `'${text}'`,
      (text) => `"${text}"`,
    );
    const wrapping = fc.constantFrom<((line: string) => string)[]>(
      (line) => line,
      (line) => `cd /some/where && ${line}`,
      (line) => `A=1 B="two words" ${line} 2>&1 | tail -n 5`,
      (line) => `/bin/bash -lc '${line.replaceAll("'", String.raw`'\''`)}'`,
      (line) => `bash -lc "${line.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`,
      (line) => `echo begin; ${line}; echo $?`,
    );
    const said = fc.array(fc.tuple(word, quoting, space), { maxLength: 6 });
    fc.assert(
      fc.property(said, space, wrapping, (words, gap, wrap) => {
        const named = ['npm test', ...words.map(([text]) => text)].join(' ');
        const line = ['npm', gap, 'test', ...words.flatMap(([text, quote, sep]) => [sep, quote(text)])].join(
          '',
        );
        // A word of a sentence is no word of a command for certain.
        expect(['ran', 'unknown']).toContain(toldOf(named, [run(wrap(line))]));
        expect(toldOf(line, [run(wrap(line))])).not.toBe('never');
        expect(toldOf(`${named} --never-there`, [run(wrap(line))])).not.toBe('ran');
      }),
    );
  });
});
