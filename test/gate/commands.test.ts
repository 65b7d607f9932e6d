import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommands, type CommandOptions } from '../../src/gate/commands.ts';
import { findMarked } from '../../src/io/process/family.ts';
import { newMark } from '../../src/io/process/mark.ts';
import { startProcess } from '../../src/io/process/start.ts';
import { processRow } from '../../src/io/process/table.ts';
import { until } from '../support/project.ts';
import { scratch } from '../support/scratch.ts';

function options(more: Partial<CommandOptions> = {}): CommandOptions {
  const cwd = scratch();
  return {
    cwd,
    dir: path.join(cwd, 'own', 'commands'),
    env: process.env,
    pass: [],
    timeoutMs: 60_000,
    outputBytes: 4096,
    signal: new AbortController().signal,
    ...more,
  };
}

/** Runs as long as the test does not end it: it says that it is there, and keeps its number. */
const stays = 'echo $$ > pid; trap "" TERM; while :; do sleep 0.1; done';

/** One that nobody has reaped yet runs no more. */
const runs = (pid: number): boolean => processRow(pid) !== undefined;
const patience = { timeout: 20_000 };

const pidIn = (cwd: string): Promise<number> =>
  until('the command has begun', () => {
    const file = path.join(cwd, 'pid');
    return fs.existsSync(file) && Number(fs.readFileSync(file, 'utf8'));
  });

describe('commands of a gate', () => {
  it('run all, one after the other, with both channels in one and nothing to read', async () => {
    const given = options();
    const results = await runCommands(
      [
        'echo one; echo two >&2; echo three',
        'cat; exit 3',
        'nowhere-to-be-found',
        '[[ -e a ]] || touch a',
        'ls',
      ],
      given,
    );
    expect(results.map(({ code }) => code)).toEqual([0, 3, 127, 0, 0]);
    expect(results[0]?.output).toBe('one\ntwo\nthree\n');
    expect(results[1]?.output).toBe('');
    expect(results[4]?.output).toContain('a\n');
    expect(fs.existsSync(given.dir)).toBe(false);
  });

  it('are cut in the middle when they say much', async () => {
    const [result] = await runCommands(['echo first; seq 100000; echo last'], options());
    expect(result?.output).toMatch(/^first\n1\n[^]*\.\.\. \[\d+ bytes left out\] \.\.\.[^]*\nlast\n$/);
    expect(result?.output.length).toBeLessThan(4200);
  });

  it('end with their children when they take too long, and the next one runs', async () => {
    const given = options({ timeoutMs: 1000 });
    const results = await runCommands([`(${stays}) & wait`, 'echo next'], given);
    expect(results).toEqual([
      expect.objectContaining({ code: 124, timedOut: true }),
      { command: 'echo next', code: 0, output: 'next\n', timedOut: false },
    ]);
    const pid = await pidIn(given.cwd);
    await expect.poll(() => runs(pid), patience).toBe(false);
  });

  it('end when they are told to, and the rest is not run', async () => {
    const stop = new AbortController();
    const given = options({ signal: stop.signal });
    const running = runCommands([stays, 'touch never'], given);
    const pid = await pidIn(given.cwd);
    stop.abort();
    expect((await running).map(({ code, timedOut }) => [code === 0, timedOut])).toEqual([[false, false]]);
    await expect.poll(() => runs(pid), patience).toBe(false);
    expect(fs.existsSync(path.join(given.cwd, 'never'))).toBe(false);
  });

  it('first end what an earlier docket left running', async () => {
    const given = options();
    const dir = path.join(given.dir, '0');
    fs.mkdirSync(dir, { recursive: true });
    const mark = newMark();
    const env = { PATH: process.env['PATH'] ?? '' };
    const left = await startProcess({
      argv: ['bash', '-c', stays],
      cwd: given.cwd,
      env,
      stdin: { text: '' },
      dir,
      mark,
    });
    await pidIn(given.cwd);
    await runCommands(['true'], given);
    expect(findMarked(mark)).toEqual([]);
    await left.exited;
  });

  it('of a model are refused when they look dangerous, and get no keys; of a person they are told about', async () => {
    const command = 'test -n "$SOME_KEY" && rm -rf "$NOTHING_THERE"';
    const given = options({ env: { ...process.env, SOME_KEY: 'x' }, pass: ['SOME_KEY'] });
    const danger = 'it removes $NOTHING_THERE with all in it';
    expect(await runCommands([command], { ...given, fromModel: true })).toEqual([
      { command, code: 126, output: `not run: ${danger}\n`, timedOut: false, danger },
    ]);
    expect(await runCommands([command], given)).toEqual([expect.objectContaining({ code: 0, danger })]);
    const [keyless] = await runCommands(['echo "<$SOME_KEY>"'], { ...given, fromModel: true });
    expect(keyless?.output).toBe('<>\n');
  });
});
