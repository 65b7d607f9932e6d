import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProcessSpec } from '../../../src/io/process/process.ts';
import { startProcess } from '../../../src/io/process/start.ts';
import { tempFolderOf } from '../../../src/io/process/temp-folder.ts';
import { attempt, env, leftovers, node, nothing, rounds, run, said, shell } from './support.ts';

describe('what reaches the agent', () => {
  test('every argument as it is, whatever a shell would make of it', async () => {
    const hostile = [
      '',
      ' ',
      '-n',
      '--',
      '-c',
      '$(touch pwned)',
      '`touch pwned`',
      '"; touch pwned; "',
      "' || touch pwned #",
      'line\nfeed\ttab\\n',
      '*',
      '~',
      '$HOME',
      '${IFS}',
      '&& exit 3',
      'ünïcödé 日本 🙂',
      '%s%d%n',
      '\u0001\u001b[31m',
    ];
    const spec = node('args.mjs', hostile, { stdin: { text: 'the $(prompt) "as is"\n' } });
    const { texts, exit } = await run(spec);
    expect(exit).toEqual({ code: 0 });
    expect(JSON.parse(texts[0]!)).toEqual({
      args: hostile,
      cwd: fs.realpathSync(spec.cwd),
      stdin: 'the $(prompt) "as is"\n',
    });
    expect(fs.readdirSync(spec.cwd)).not.toContain('pwned');
  });

  test('a folder and a program with hostile names', async () => {
    const spec = attempt([]);
    const odd = path.join(spec.dir, `a "b" $(touch pwned) 'c'\n-d`);
    fs.mkdirSync(odd);
    fs.writeFileSync(path.join(odd, '-x=1 $y'), '#!/bin/sh\necho "$0" "$@"\n', { mode: 0o755 });
    const { texts, exit } = await run({ ...spec, dir: odd, cwd: odd, argv: ['./-x=1 $y', 'one'] });
    expect(exit).toEqual({ code: 0 });
    expect(texts.join('\n')).toBe(`${fs.realpathSync(odd)}/-x=1 $y one`);
    expect(fs.existsSync(path.join(odd, 'exit.json'))).toBe(true);
  });

  test('a name that is also a builtin of the shell means the program', async () => {
    const { texts, exit } = await run(attempt(['echo', '-e', 'a\\tb']));
    expect([texts, exit]).toEqual([['a\tb'], { code: 0 }]);
    const spec = attempt(['exit', '3']);
    fs.writeFileSync(path.join(spec.cwd, 'exit'), '#!/bin/sh\necho a program', { mode: 0o755 });
    expect((await run({ ...spec, env: { PATH: `:${env.PATH}` } })).texts).toEqual(['a program']);
  });

  test('its environment and nothing of ours, a mark and a temp folder', async () => {
    process.env['DOCKET_TEST_SECRET'] = 'secret';
    onTestFinished(() => void delete process.env['DOCKET_TEST_SECRET']);
    const spec = shell('env; stat -c "%a %F" "$TMPDIR"', {
      env: { ...env, A: 'x\ny', DOCKET_MARK: 'forged' },
    });
    const { texts } = await run(spec);
    const temp = tempFolderOf(spec.mark);
    const text = texts.join('\n');
    expect(text).toContain('A=x\ny');
    for (const name of ['TMPDIR', 'TMP', 'TEMP']) expect(texts).toContain(`${name}=${temp}`);
    expect(texts).toContain(`DOCKET_MARK=${spec.mark}`);
    expect(texts.at(-1)).toBe('700 directory');
    expect(text).not.toContain('secret');
    expect(text).not.toContain('forged');
    expect(leftovers(spec.mark)).toEqual(nothing);
    // Nor does any of it stay on disk.
    const others = fs.readdirSync(spec.dir).filter((name) => name !== 'events.jsonl');
    for (const name of others)
      expect(fs.readFileSync(path.join(spec.dir, name), 'utf8')).not.toContain('x\ny');
  });

  test('the default for every signal', async () => {
    const { texts } = await run(shell(`grep -E '^Sig(Ign|Blk)' /proc/self/status`));
    expect(texts).toEqual(['SigBlk:', 'SigIgn:'].map((name) => `${name}\t0000000000000000`));
  });

  test('a prompt of 5 MB, which stays where it was', async () => {
    const text = 'ünïcödé '.repeat(500_000);
    const spec = shell('sha256sum', { stdin: { text } });
    const { texts } = await run(spec);
    expect(texts[0]).toContain(createHash('sha256').update(text).digest('hex'));
    expect(fs.readFileSync(path.join(spec.dir, 'prompt'), 'utf8')).toBe(text);
    expect(fs.statSync(path.join(spec.dir, 'prompt')).mode & 0o777).toBe(0o600);
  });

  test('a conversation', async () => {
    const child = await startProcess(
      shell('while read -r line; do echo "you said $line"; done; echo bye', { stdin: 'open' }),
    );
    const heard: string[] = [];
    await child.send('one\n');
    for await (const { text } of child.lines()) {
      heard.push(text);
      if (text.endsWith('one')) await child.send('two\n');
      if (text.endsWith('two')) child.endInput();
    }
    expect(heard).toEqual(['you said one', 'you said two', 'bye']);
    expect(await child.exited).toEqual({ code: 0 });
    await expect(child.send('three\n')).rejects.toMatchObject({ code: 'IO' });
  });

  test('text for an agent that no longer reads is an error of its sender only', async () => {
    const child = await startProcess(shell('echo up; exec sleep 100', { stdin: 'open' }));
    await said(child, 'up');
    const sent = child.send('x'.repeat(4_000_000));
    sent.catch(() => undefined); // looked at below
    await child.stop('canceled');
    await expect(sent).rejects.toMatchObject({ code: 'IO' });
    const other = await startProcess(shell('cat'));
    await expect(other.send('x')).rejects.toMatchObject({ code: 'IO' });
    expect(await other.exited).toEqual({ code: 0 });
  });
});

/** All of them in the long form; each costs a process. */
const everyCode = Array.from({ length: 256 }, (_, code) => code).filter(
  (code) => rounds > 0 || code % 9 === 0 || [1, 2, 126, 127, 128, 137, 143, 255].includes(code),
);

test('every exit code, and what a shell makes of a signal', { timeout: 60_000 }, async () => {
  const seen = new Map<number, unknown>();
  const codes = everyCode.slice();
  const workers = Array.from({ length: 8 }, async () => {
    for (let code = codes.pop(); code !== undefined; code = codes.pop()) {
      const spec = shell(`exit ${code}`);
      seen.set(code, [(await run(spec)).exit, fs.readFileSync(path.join(spec.dir, 'exit.json'), 'utf8')]);
    }
  });
  await Promise.all(workers);
  for (const code of everyCode) expect(seen.get(code)).toEqual([{ code }, `{"code":${code}}\n`]);
  expect((await run(shell('kill -SEGV $$'))).exit).toEqual({ code: 128 + os.constants.signals.SIGSEGV });
});

describe('what cannot be started', () => {
  const cases: readonly [what: string, make: () => ProcessSpec, code: string, problem?: string][] = [
    ['no program', () => attempt([]), 'NOT_FOUND', 'program-missing'],
    ['a name that is not on PATH', () => attempt(['no-such-program']), 'NOT_FOUND', 'program-missing'],
    ['a path that is not there', () => attempt(['./no/such']), 'NOT_FOUND', 'program-missing'],
    ['a builtin of the shell', () => attempt(['export', 'A=b']), 'NOT_FOUND', 'program-missing'],
    ['a file that is not executable', () => attempt([import.meta.filename]), 'NO_ACCESS', 'not-executable'],
    ['a folder', () => attempt([os.tmpdir()]), 'NO_ACCESS', 'not-executable'],
    [
      'a missing folder to work in',
      () => shell('true', { cwd: '/no/such/place' }),
      'NOT_FOUND',
      'cwd-missing',
    ],
    ['an argument with a NUL byte', () => attempt(['echo', 'a\0b']), 'IO', 'spawn'],
    ['an argument that is too long', () => attempt(['echo', 'x'.repeat(3_000_000)]), 'IO', 'spawn'],
    ['a variable that no shell can carry', () => shell('true', { env: { ...env, 'a.b': '1' } }), 'INVALID'],
    ['a missing attempt folder', () => shell('true', { dir: '/no/such/place' }), 'IO'],
  ];

  test.each(cases)('%s', async (_what, make, code, problem) => {
    const spec = make();
    const failure = startProcess(spec);
    await expect(failure).rejects.toMatchObject({ name: 'DocketError', code });
    await expect(failure).rejects.toHaveProperty('fix');
    await expect(failure).rejects.toMatchObject({ data: problem === undefined ? {} : { problem } });
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('twice in one folder', async () => {
    const spec = shell('echo once');
    await run(spec);
    await expect(startProcess(spec)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(fs.readFileSync(path.join(spec.dir, 'events.jsonl'), 'utf8')).toBe('once\n');
  });

  test('a name that would lead out of the temp folder', async () => {
    await expect(startProcess({ ...shell('true'), mark: '../../etc' })).rejects.toMatchObject({
      code: 'INVALID',
    });
  });
});

test('what it leaves in its temp folder goes, read-only or not', async () => {
  const spec = shell('mkdir -p "$TMPDIR/a/b" && touch "$TMPDIR/a/b/c" && chmod -R a-w "$TMPDIR/a"');
  await run(spec);
  expect(leftovers(spec.mark)).toEqual(nothing);
});
