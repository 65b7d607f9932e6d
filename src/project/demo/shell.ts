import path from 'node:path';
import { sleepUnless } from '../../io/clock.ts';
import { listDir, sizeAndInode } from '../../io/files.ts';
import { startLine, type LineEnd, type ShellLine } from '../../io/shell-line.ts';
import type { Scratch } from './scratch.ts';

export type DemoEvent =
  | { kind: 'act'; title: string }
  | { kind: 'say'; text: string }
  | { kind: 'command'; line: string }
  | { kind: 'output'; text: string }
  | { kind: 'ended'; line: string; code: number; seconds: number }
  /** Something that was looked at, and is so. */
  | { kind: 'checked'; text: string };

/** Something is not as the demonstration says. */
export class DemoFailed extends Error {}

export interface ShellOptions {
  readonly env: Scratch['env'];
  readonly tell: (event: DemoEvent) => void;
  /** Commands have the terminal; otherwise what they print is only kept. */
  readonly shown: boolean;
  readonly signal: AbortSignal;
}

/** Ctrl-C in a terminal has reached the command, too: only one that does not end by itself is told to. */
const graceMs = 2_000;
const longestEndMs = 20_000;

/** Types commands in the scratch repository, shows them, and looks at what came of them. */
export class Shell {
  readonly #cwd: string;
  readonly #options: ShellOptions;

  constructor(cwd: string, options: ShellOptions) {
    this.#cwd = cwd;
    this.#options = options;
  }

  act(title: string): void {
    this.#options.tell({ kind: 'act', title });
  }

  say(text: string): void {
    this.#options.tell({ kind: 'say', text });
  }

  /** What the demonstration claims is looked at; it ends where it is not so. */
  check(text: string, { isSo, found }: { isSo: boolean; found: unknown }): void {
    if (!isSo) throw new DemoFailed(`it is not so that ${text}: found ${JSON.stringify(found)}`);
    this.#options.tell({ kind: 'checked', text });
  }

  /** A command that must end with one of these codes. */
  async run(line: string, codes: readonly number[] = [0]): Promise<number> {
    const began = performance.now();
    return this.#over(line, await this.start(line).ended, began, codes);
  }

  /** One that is shown, and whose output is needed. */
  async read(line: string): Promise<string> {
    const began = performance.now();
    this.#options.tell({ kind: 'command', line });
    const end = await this.#started(line, 'kept').ended;
    if (this.#options.shown) this.#options.tell({ kind: 'output', text: `${end.stderr}${end.stdout}` });
    this.#over(line, end, began, [0]);
    return end.stdout;
  }

  /** One that is not waited for. */
  start(line: string): ShellLine {
    this.#options.tell({ kind: 'command', line });
    return this.#started(line, this.#options.shown ? 'shown' : 'kept');
  }

  /** So many tasks of the queue have had an agent. */
  agentsOfQueue(): number {
    const folder = path.join(this.#cwd, '.docket/queue/attempts');
    return listDir(folder).filter((id) => sizeAndInode(path.join(folder, id, 'work/1/start.json'))).length;
  }

  /** In the way that nobody can prepare for. */
  async kill(running: ShellLine): Promise<void> {
    running.signal('SIGKILL');
    await running.ended;
    this.#options.tell({ kind: 'command', line: `kill -9 ${running.pid}` });
    this.#leaveIfStopped();
  }

  /** Asks docket itself how things are. Nobody sees that. */
  async ask<T>(line: string): Promise<T> {
    const { code, stdout, stderr } = await this.#started(`docket ${line} --json`, 'kept').ended;
    this.#leaveIfStopped();
    try {
      return JSON.parse(stdout) as T;
    } catch {
      throw new DemoFailed(`docket ${line} --json (exit code ${code}) printed no JSON: ${stdout}${stderr}`);
    }
  }

  #started(line: string, output: 'shown' | 'kept'): ShellLine {
    const { env, signal } = this.#options;
    const started = startLine(line, { cwd: this.#cwd, env, output });
    const over = new AbortController();
    const stop = (): void => void ending(started, over.signal);
    signal.addEventListener('abort', stop, { once: true });
    void started.ended.finally(() => {
      over.abort();
      signal.removeEventListener('abort', stop);
    });
    return started;
  }

  #over(line: string, { code, stdout, stderr }: LineEnd, began: number, codes: readonly number[]): number {
    const seconds = Math.round(performance.now() - began) / 1000;
    this.#options.tell({ kind: 'ended', line, code, seconds });
    this.#leaveIfStopped();
    if (codes.includes(code)) return code;
    const said = `${stderr}${stdout}`.trimEnd();
    const wanted = codes.join(' or ');
    throw new DemoFailed(`${line} ended with exit code ${code} instead of ${wanted}\n${said}`.trimEnd());
  }

  #leaveIfStopped(): void {
    if (this.#options.signal.aborted) throw new DemoFailed('it was stopped');
  }
}

async function ending(started: ShellLine, over: AbortSignal): Promise<void> {
  await sleepUnless(graceMs, over);
  if (!over.aborted) started.signal('SIGTERM');
  await sleepUnless(longestEndMs, over);
  if (!over.aborted) started.signal('SIGKILL');
}
