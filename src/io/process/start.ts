import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { DocketError, messageOf } from '../../errors.ts';
import { around } from '../fault.ts';
import { requireProgram } from '../find-program.ts';
import { codeOf } from '../io-error.ts';
import { createPlain, openPlain, writePlain } from '../plain-file.ts';
import { AttemptProcess } from './attempt-process.ts';
import { checkMark, limitArgument, markVariable } from './mark.ts';
import type { AgentProcess, ProcessSpec } from './process.ts';
import { places, recordedCode, recordedPid, supervised } from './supervisor.ts';
import { processRow } from './table.ts';
import { makeTempFolder, removeTempFolder } from './temp-folder.ts';

/** Starts an agent under its supervisor. Rejects when it cannot be started; then nothing runs. */
export async function startProcess(spec: ProcessSpec): Promise<AgentProcess> {
  const program = check(spec);
  const dir = path.resolve(spec.dir);
  const tempFolder = makeTempFolder(spec.mark);
  try {
    const env = { ...spec.env, ...temporary(tempFolder), [markVariable]: spec.mark };
    record(dir, { mark: spec.mark, argv: shown(spec), cwd: spec.cwd, tempFolder });
    const child = await spawned(dir, program, { ...spec, env });
    const group = child.pid as number;
    // It may be gone already, but its number stays taken until our event loop turns.
    const since = processRow(group)?.began ?? 0;
    return new AttemptProcess({
      adopted: false,
      dir,
      family: { mark: spec.mark, group, watched: true, since },
      supervisor: () => endOf(child),
      ...(child.stdin && { input: child.stdin }),
      tempFolder,
      limits: spec,
    });
  } catch (error) {
    await removeTempFolder(tempFolder);
    throw error;
  }
}

const temporary = (dir: string) => ({ TMPDIR: dir, TMP: dir, TEMP: dir });

/** All that would otherwise show as an exit code of the shell. Returns the program's absolute path. */
function check({ argv, cwd, env, dir, mark }: ProcessSpec): string {
  if (process.platform === 'win32') {
    throw new DocketError(
      'REFUSED',
      'agents cannot be supervised on Windows: there is no POSIX shell, process group or signal',
      'run docket inside WSL',
      { problem: 'unsupported-platform' },
    );
  }
  checkMark(mark);
  if (!fs.statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DocketError(
      'NOT_FOUND',
      `the folder to work in is not there: ${cwd}`,
      'make it, or choose another workspace',
      { path: cwd, problem: 'cwd-missing' },
    );
  }
  // A shell drops variables whose names it could not write itself: rather say so than lose one.
  const bad = Object.keys(env).find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (bad !== undefined)
    throw new DocketError(
      'INVALID',
      `an agent cannot be given a variable named ${JSON.stringify(bad)}`,
      'use letters, digits and _ only',
      { variable: bad },
    );
  if (recordedPid(dir) !== undefined || recordedCode(dir) !== undefined)
    throw new DocketError(
      'CONFLICT',
      `an agent was started in ${dir} before`,
      'adopt that one, or give this attempt a folder of its own',
      { path: dir },
    );
  return requireProgram(argv[0] ?? '', env, cwd);
}

/** Written before the start, so that what runs is never without it. No environment: it holds secrets. */
function record(
  dir: string,
  start: { mark: string; argv: readonly string[]; cwd: string; tempFolder: string },
): void {
  const file = places(dir).start;
  const text = `${JSON.stringify({ v: 1, ...start, startedAt: new Date().toISOString() }, undefined, 2)}\n`;
  writePlain(file, text);
}

async function spawned(
  dir: string,
  program: string,
  { argv, cwd, env, stdin, mark, mask }: ProcessSpec,
): Promise<ChildProcess> {
  const through = mask?.through;
  const command = [...(through?.argv ?? []), program, ...argv.slice(1)];
  const { file, args } = supervised(dir, limitArgument(mark), command);
  const open: number[] = [];
  const keep = (fd: number) => {
    open.push(fd);
    return fd;
  };
  try {
    const { prompt, stdout, stderr } = places(dir);
    if (stdin !== 'open') writePlain(prompt, stdin.text);
    const input = stdin === 'open' ? 'pipe' : keep(openPlain(prompt));
    const stdio: ('pipe' | number)[] = [input, keep(createPlain(stdout)), keep(createPlain(stderr))];
    if (through) stdio.push('pipe');
    // A session and a group of its own: our death, or a Ctrl-C meant for us, does not reach it.
    const child = around('spawn', dir, () => spawn(file, args, { cwd, env, detached: true, stdio }));
    if (child.pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
    if (through) tell(child.stdio[3] as Writable, through.told);
    return child;
  } catch (error) {
    throw error instanceof DocketError ? error : cannotStart(error, program);
  } finally {
    for (const fd of open) fs.closeSync(fd);
  }
}

/** What does not arrive whole is not understood, and then nothing is started: it needs nobody's care. */
function tell(stream: Writable, text: string): void {
  stream.on('error', () => undefined);
  stream.end(text, () => stream.destroy());
}

/** Arguments can come from settings, with keys in them. */
function shown({ argv, mask }: ProcessSpec): string[] {
  return argv.map((word) => mask?.text(word) ?? word);
}

function cannotStart(error: unknown, program: string): DocketError {
  const code = codeOf(error);
  const fixes: Record<string, string> = {
    E2BIG: 'give long texts by stdin or in a file, not as an argument',
    EAGAIN: 'the limit of processes is reached: run fewer agents at once, or raise it (ulimit -u)',
    ERR_INVALID_ARG_VALUE: 'arguments and variables cannot hold NUL bytes',
  };
  return new DocketError(
    'IO',
    `cannot start ${program}: ${messageOf(error)}`,
    fixes[code ?? ''] ?? 'try to start it by hand',
    { program, errno: code, problem: 'spawn' },
    { cause: error },
  );
}

/** The supervisor hands on the agent's code as its own. Ended by a signal, it has none to tell. */
function endOf(child: ChildProcess): Promise<number | undefined> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  if (child.signalCode !== null) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? undefined));
    child.on('error', () => undefined); // a failed kill; nothing of ours depends on it
  });
}
