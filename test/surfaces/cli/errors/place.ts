import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inFolder } from '../real-world.ts';
import { wordsOf } from './words.ts';

/** A folder in which lines are tried, with what a case needs in it. */
export class Place {
  readonly dir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-errors-'));
  readonly root = path.join(this.dir, 'project');
  /** What lines call by another name: `{task}`. */
  readonly names = new Map<string, string>([['outside', path.join(this.dir, 'outside')]]);
  readonly #ends: (() => void)[] = [];

  constructor() {
    fs.mkdirSync(this.root);
    fs.mkdirSync(path.join(this.dir, 'outside'));
  }

  atEnd(end: () => void): void {
    this.#ends.push(end);
  }

  remove(): void {
    for (const end of this.#ends) end();
    fs.rmSync(this.dir, { recursive: true, force: true });
  }

  write(name: string, text: string | Uint8Array): void {
    fs.mkdirSync(path.dirname(path.join(this.root, name)), { recursive: true });
    fs.writeFileSync(path.join(this.root, name), text);
  }

  /** A repository with one commit. */
  repository(): void {
    this.git('init', '--quiet', '--initial-branch=main');
    this.write('a.txt', 'one\n');
    this.write('.gitignore', '.docket\n.takt\n.tmp\n.agentmesh\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'start');
  }

  git(...args: string[]): void {
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    const env = { PATH: process.env['PATH'], HOME: this.dir, GIT_CONFIG_NOSYSTEM: '1' };
    execFileSync('git', [...who, ...args], { cwd: this.root, env, stdio: 'pipe' });
  }

  /** A line that must be done; its answer. */
  async done(line: string): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await this.try(`${line} --json`);
    if (code !== 0) throw new Error(`docket ${line} ended with ${code}: ${stdout}${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  try(line: string, stdin = '') {
    return inFolder(this.root, wordsOf(this.filled(line)), { stdin: once(stdin) });
  }

  filled(text: string): string {
    return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => this.names.get(name) ?? all);
  }
}

async function* once(text: string): AsyncGenerator<string> {
  await Promise.resolve();
  yield text;
}
