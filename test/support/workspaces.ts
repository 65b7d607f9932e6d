import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Plan } from '../../src/workspace/marker.ts';
import { makeWorkspace, type Workspace, type WorkspaceWish } from '../../src/workspace/prepare.ts';
import { TestRepository } from './repository.ts';

const now = Date.parse('2026-02-01T01:57:14Z');

/** A repository with docket's folder in it, and workspaces made from it. */
export class Workspaces extends TestRepository {
  readonly dir: string;
  /** Plans that were written down, in order. */
  readonly plans: Plan[] = [];

  constructor(
    files: Readonly<Record<string, string>> = { 'a.txt': 'one\n', '.gitignore': '.docket\n.env\n' },
  ) {
    super(files);
    this.dir = this.place('.docket/queue');
    fs.mkdirSync(this.dir, { recursive: true });
  }

  make(wish: Partial<WorkspaceWish> = {}, root = this.root): Promise<Workspace> {
    const note = async (plan: Plan) => void this.plans.push(plan);
    return makeWorkspace(
      { root, dir: this.dir, now, note },
      { id: 't1', kind: 'clone', prefix: 'takt', slug: 'fix-login', ...wish },
    );
  }

  branches(): string[] {
    return this.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trimEnd().split('\n');
  }

  commitOf(name: string): string {
    return this.git('rev-parse', '--verify', name).trim();
  }
}

export function gitIn(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=agent', '-c', 'user.email=agent@example.com'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
}

/** A file in a workspace, with its folders. */
export function put(folder: string, name: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
}

/** A repository of an agent's own: whoever lets git read its `f` again runs its filter, which leaves a proof. */
export function nestedWithFilter(folder: string, proof: string): void {
  fs.mkdirSync(folder, { recursive: true });
  gitIn(folder, 'init', '--quiet');
  put(folder, '.gitattributes', 'f filter=evil\n');
  put(folder, 'f', 'one');
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '--quiet', '-m', 'theirs');
  gitIn(folder, 'config', 'filter.evil.clean', `touch '${proof}'; cat`);
}
