import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { findMarked } from '../../src/io/process/family.ts';
import { tempFolderOf } from '../../src/io/process/temp-folder.ts';
import type { BlockReason } from '../../src/task/schema.ts';
import { bin } from '../support/child.ts';
import { endProcess } from '../support/project.ts';
import { journalOf } from '../support/scratch.ts';
import { attemptsIn, diaryIn, type Said } from './accounts.ts';
import { NightProject, type NightPlan } from './night-project.ts';

/** Two projects of one user: one provider, one account book, and what the user's own settings say about a day. */
export class TwoDockets {
  readonly #projects: readonly [NightProject, NightProject];
  readonly #dockets: (ChildProcess | undefined)[] = [undefined, undefined];
  readonly codes: (number | null)[][] = [[], []];
  kills = 0;

  constructor(dir: string, plan: NightPlan, caps: object, tasks: number) {
    const make = (name: string) => new NightProject(path.join(dir, name), plan, { defaultAgent: 'claude' });
    this.#projects = [make('a'), make('b')];
    const [first, second] = this.#projects;
    for (const key of ['NIGHT', 'DOCKET_STATE', 'HOME']) second.env[key] = first.env[key] ?? '';
    const home = path.join(first.env['HOME'] ?? '', '.config', 'docket');
    fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(path.join(home, 'config.yaml'), JSON.stringify({ budgets: caps }));
    first.begins();
    for (const [at, project] of this.#projects.entries()) {
      const names = Array.from({ length: tasks }, (_, n) => `q${at}${n}`);
      project.queue(names.map((name) => ({ name, content: `Do it. [[${name} work]]`, worktree: true })));
      project.share(first.night);
    }
    onTestFinished(() => this.#end());
  }

  get state(): string {
    return this.#projects[0].env['DOCKET_STATE'] ?? '';
  }

  runs(at: number): boolean {
    const docket = this.#dockets[at];
    return docket !== undefined && docket.exitCode === null && docket.signalCode === null;
  }

  start(at: number): void {
    const { root, env } = this.#projects[at] as NightProject;
    const args = ['run', '--wait', '--concurrency', '3', '--json'];
    const docket = spawn(process.execPath, [bin('night-docket.mjs'), ...args], {
      cwd: root,
      env,
      stdio: 'ignore',
    });
    docket.once('exit', (code) => this.codes[at]?.push(code));
    this.#dockets[at] = docket;
  }

  async kill(at: number): Promise<void> {
    const docket = this.#dockets[at];
    if (!docket || !this.runs(at)) return;
    docket.kill('SIGKILL');
    await this.ended(at);
    if (docket.signalCode === 'SIGKILL') this.kills += 1;
  }

  /** However long it takes. */
  async ended(at: number): Promise<void> {
    if (this.runs(at)) await new Promise((resolve) => this.#dockets[at]?.once('exit', resolve));
  }

  signal(at: number, name: NodeJS.Signals): void {
    this.#dockets[at]?.kill(name);
  }

  shift(ms: number): void {
    fs.writeFileSync(path.join(this.#projects[0].night, 'shift'), String(ms));
  }

  diary(): Said[] {
    return diaryIn(this.#projects[0].night);
  }

  attempts() {
    return this.#projects.flatMap(({ root }) => attemptsIn(root));
  }

  /** Why tasks were held by a budget, as their journals have it. */
  held(): string[] {
    const lines = this.#projects.flatMap(({ root }) => fs.readFileSync(journalOf(root), 'utf8').split('\n'));
    return lines
      .filter((line) => line.includes('"task.blocked"'))
      .map((line) => (JSON.parse(line) as { data: { reason: BlockReason } }).data.reason)
      .flatMap(({ kind, text }) => (kind === 'budget' ? [text] : []));
  }

  leftovers(): number[] {
    return this.attempts().flatMap(({ mark }) => findMarked(mark));
  }

  #end(): void {
    for (const docket of this.#dockets) docket?.kill('SIGKILL');
    for (const { mark } of this.attempts()) {
      for (const pid of findMarked(mark)) endProcess(pid);
      fs.rmSync(tempFolderOf(mark), { recursive: true, force: true });
    }
  }
}
