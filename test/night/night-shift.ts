import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { findMarked } from '../../src/io/process/family.ts';
import { tempFolderOf } from '../../src/io/process/temp-folder.ts';
import { bin } from '../support/child.ts';
import { pause } from '../support/kill-rounds.ts';
import { endProcess, until } from '../support/project.ts';
import { attemptsIn, diaryIn, type Said } from './accounts.ts';
import type { NightProject } from './night-project.ts';

/** Somebody who may have file systems of their own. In CI nobody gets away with being somebody else. */
export const canMount =
  process.env['CI'] !== undefined ||
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** So long a process that was being started when docket was stopped takes to be seen by its mark. */
const startMs = 200;

const moves =
  'mv "$1" "$1.made" && mkdir "$1" && mount -t tmpfs -o "size=$2" none "$1" && cp -a "$1.made/." "$1"';
const boots = 'mount --bind "$1" /proc/sys/kernel/random/boot_id && cd "$2" && shift 2 && exec "$@"';

/**
 * A machine that the night is played on: it has a small disk of its own, on which the project lies, and it boots. What
 * runs on it sees another boot id after each boot, and the files that others do not see.
 */
export class NightShift {
  readonly #project: NightProject;
  readonly #machine: ChildProcess;
  #boot = '';
  docket: ChildProcess | undefined;
  /** What docket has said on stderr, over all its lives. */
  talk = '';

  private constructor(project: NightProject, machine: ChildProcess) {
    this.#project = project;
    this.#machine = machine;
    this.boots();
    onTestFinished(() => this.#end());
  }

  static async begin(project: NightProject, size = '96m'): Promise<NightShift> {
    const hold = `${moves} && echo ready && exec sleep 3600`;
    const machine = spawn('unshare', ['-m', 'sh', '-c', hold, 'sh', project.disk, size], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const shift = new NightShift(project, machine);
    await new Promise<void>((resolve, reject) => {
      machine.stdout?.once('data', () => resolve());
      machine.once('exit', (code) => reject(new Error(`there is no disk for the night: ${code}`)));
    });
    project.begins();
    return shift;
  }

  /** As it is seen from here. */
  at(file: string): string {
    return `/proc/${this.#machine.pid}/root${file}`;
  }

  /** From here on it was booted once more. */
  boots(): void {
    this.#boot = path.join(this.#project.night, `boot.${randomUUID()}`);
    fs.writeFileSync(this.#boot, `${randomUUID()}\n`);
  }

  start(...args: string[]): ChildProcess {
    const { root, env } = this.#project;
    const inside = ['-t', String(this.#machine.pid), '-m', 'unshare', '-m', 'sh', '-c', boots, 'sh'];
    const docket = [this.#boot, root, process.execPath, bin('night-docket.mjs'), ...args];
    const child = spawn('nsenter', [...inside, ...docket], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.talk += text));
    this.docket = child;
    return child;
  }

  /** Docket, and nobody else. */
  async kill(): Promise<void> {
    this.docket?.kill('SIGKILL');
    await this.#gone();
  }

  /**
   * Docket and everybody who works for it, at once. Not while one is on its way: who knows whether it was called? Whom
   * docket wrote down and had not started yet when it was stopped never comes.
   */
  async loseAll(): Promise<void> {
    this.docket?.kill('SIGSTOP');
    await pause(startMs);
    await this.#called();
    this.docket?.kill('SIGKILL');
    for (const pid of this.leftovers()) endProcess(pid);
    await this.#gone();
    await until('all are gone', () => this.leftovers().length === 0);
  }

  async #gone(): Promise<void> {
    const { docket } = this;
    if (docket && docket.exitCode === null && docket.signalCode === null)
      await new Promise((resolve) => docket.once('exit', resolve));
  }

  leftovers(): number[] {
    return this.#marks().flatMap((mark) => findMarked(mark));
  }

  #marks(): string[] {
    return attemptsIn(this.at(this.#project.root)).map(({ mark }) => mark);
  }

  /** Whoever was started has said so. */
  async #called(): Promise<void> {
    const said = () => new Set(this.diary().map(({ mark }) => mark));
    const isOnItsWay = (mark: string) => !said().has(mark) && findMarked(mark).length > 0;
    await until('all who were started have come', () => !this.atWork().some(isOnItsWay));
  }

  /** The marks of those who were called and have not ended, by their journals. */
  atWork(): string[] {
    const tried = attemptsIn(this.at(this.#project.root));
    return tried.filter(({ outcome }) => outcome === undefined).map(({ mark }) => mark);
  }

  /** Processes of the night, also those that lost their mark: who listens is among them. */
  others(): string[] {
    const isOfNight = (pid: string) => {
      try {
        return fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`NIGHT=${this.#project.night}`);
      } catch {
        return false; // it has ended, or is another user's
      }
    };
    return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOfNight(name));
  }

  /** How many came so far. */
  calls(): number {
    return this.diary().filter(({ event }) => event === 'call').length;
  }

  diary(): Said[] {
    return diaryIn(this.#project.night);
  }

  #end(): void {
    this.docket?.kill('SIGKILL');
    for (const pid of this.leftovers()) endProcess(pid);
    for (const mark of this.#marks()) fs.rmSync(tempFolderOf(mark), { recursive: true, force: true });
    this.#machine.kill('SIGKILL');
  }
}
