import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { takeSnapshot, type Snapshot, type WorkTree } from '../../src/workspace/snapshot.ts';
import { scratch } from './scratch.ts';

/** A git repository with a few committed files, and what docket keeps of it. */
export class TestRepository implements WorkTree {
  readonly root: string;
  readonly home: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    const dir = scratch();
    this.root = path.join(dir, 'root');
    this.home = path.join(dir, 'home');
    fs.mkdirSync(this.root);
    this.git('init', '--quiet', '--initial-branch=main');
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.commit();
  }

  place(name: string): string {
    return path.join(this.root, name);
  }

  write(name: string, content: string | Buffer): void {
    fs.mkdirSync(path.dirname(this.place(name)), { recursive: true });
    fs.writeFileSync(this.place(name), content);
  }

  read(name: string): string {
    return fs.readFileSync(this.place(name), 'utf8');
  }

  commit(folder = '.'): void {
    this.git('-C', folder, 'add', '--all', '.');
    this.git('-C', folder, 'commit', '--quiet', '--allow-empty', '-m', 'more');
  }

  snapshot(): Promise<Snapshot> {
    return takeSnapshot(this);
  }

  git(...args: string[]): string {
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    const env = { PATH: process.env['PATH'], HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
    const more = ['-c', 'protocol.file.allow=always'];
    return execFileSync('git', [...who, ...more, ...args], { cwd: this.root, encoding: 'utf8', env });
  }
}
