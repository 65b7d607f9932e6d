import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { findMarked } from '../../src/io/process/family.ts';
import { tempFolderOf } from '../../src/io/process/temp-folder.ts';
import { ended, start, type Ended } from './child.ts';
import { journalOf, scratch } from './scratch.ts';

const docketBin = fileURLToPath(new URL('../../bin/docket', import.meta.url));

/** A git repository with settings, a queue and an empty home, and the command line to use it with. */
export class Project {
  readonly root: string;
  readonly home: string;
  /** Of the command line. */
  readonly env: Record<string, string>;

  constructor(config: unknown) {
    const dir = scratch();
    this.root = path.join(dir, 'root');
    this.home = path.join(dir, 'home');
    this.env = { PATH: process.env['PATH'] ?? '', HOME: this.home };
    fs.mkdirSync(path.join(this.root, '.docket'), { recursive: true });
    fs.mkdirSync(this.home);
    this.git('init', '--quiet', '--initial-branch=main');
    fs.writeFileSync(path.join(this.root, 'a.txt'), 'one\n');
    this.write('.gitignore', '.docket\n.takt\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'start');
    this.write('.docket/config.yaml', JSON.stringify(config));
    onTestFinished(() => this.end());
  }

  git(...args: string[]): string {
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    const env = { PATH: process.env['PATH'], HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', [...who, ...args], { cwd: this.root, encoding: 'utf8', env });
  }

  write(name: string, text: string): void {
    fs.writeFileSync(path.join(this.root, name), text);
  }

  read(name: string): string {
    return fs.readFileSync(path.join(this.root, name), 'utf8');
  }

  /** More settings beside those that it has. */
  configure(settings: object): void {
    const known = JSON.parse(this.read('.docket/config.yaml')) as object;
    this.write('.docket/config.yaml', JSON.stringify({ ...known, ...settings }));
  }

  /** Entries as a person would write them; `isolated` ones run in a clone of their own. */
  queue(names: readonly string[], isolated: boolean): void {
    const entries = names.map((name, index) => {
      const created = new Date(Date.parse('2026-03-01T08:00:00Z') + index * 1000).toISOString();
      const tree = isolated ? '    worktree: true\n' : '';
      return `  - name: ${name}\n    status: pending\n    content: ${name} please\n${tree}    created_at: "${created}"\n    started_at: null\n    completed_at: null\n`;
    });
    fs.mkdirSync(path.join(this.root, '.takt'), { recursive: true });
    this.write('.takt/tasks.yaml', `tasks:\n${entries.join('')}`);
  }

  start(...args: string[]) {
    return start(process.execPath, [docketBin, ...args], {
      cwd: this.root,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async docket(...args: string[]): Promise<Ended> {
    const child = this.start(...args);
    child.stderr?.resume();
    return ended(child);
  }

  async json(...args: string[]): Promise<{ ok: boolean; tasks: Listed[] }> {
    const { out } = await this.docket(...args, '--json');
    return JSON.parse(out) as { ok: boolean; tasks: Listed[] };
  }

  /** Events of the journal, of one type. */
  events(type: string): { type: string; taskId: string; data: Record<string, unknown> }[] {
    if (!fs.existsSync(journalOf(this.root))) return [];
    const text = fs.readFileSync(journalOf(this.root), 'utf8');
    // A process may be in the middle of an append: what follows the last line break is not written yet.
    const lines = text
      .slice(0, text.lastIndexOf('\n') + 1)
      .trimEnd()
      .split('\n')
      .slice(1);
    return lines
      .map((line) => JSON.parse(line) as ReturnType<Project['events']>[number])
      .filter((event) => event.type === type);
  }

  /** Agents outlive the docket that started them, but not the test. */
  private end(): void {
    for (const pid of this.leftovers()) endProcess(pid);
    for (const mark of this.marks()) fs.rmSync(tempFolderOf(mark), { recursive: true, force: true });
  }

  /** Processes that still carry the mark of an attempt. */
  leftovers(): number[] {
    return this.marks().flatMap((mark) => findMarked(mark));
  }

  marks(): string[] {
    return this.events('attempt.started').map(({ data }) => data['mark'] as string);
  }
}

interface Listed {
  id: string;
  status: string;
  title: string;
  attempts?: Record<string, { n: number; session?: string; end?: { outcome: string } }>;
  extras: Record<string, { name?: string }>;
}

export async function until<T>(what: string, look: () => T | undefined | false): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** It may have ended by itself meanwhile. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
