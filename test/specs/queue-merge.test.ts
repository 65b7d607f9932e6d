import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support/scratch.ts';
import { report, ShellProject } from '../support/shell-project.ts';

/** Each does what its name says; some touch the same line, one breaks what the project is held to, but not by itself. */
const work = `case "$name" in
  left) sed -i "s/^shared$/left/" shared.txt ;;
  right) sed -i "s/^shared$/right/" shared.txt ;;
  breaks) for other in one left right two; do await "branch-$other"; done; sleep 2; echo no > bad.txt ;;
  *) echo "$name" > "$name.txt" ;;
esac
git branch --show-current > "$CUES/branch-$name"
${report()}`;

/** A repository with a bare origin, and five tasks in clones of their own. */
function project(): ShellProject & { origin: string } {
  const made = new ShellProject(work);
  made.write('shared.txt', 'shared\n');
  made.git('add', '.');
  made.git('commit', '--quiet', '-m', 'a file that many want');
  const origin = path.join(scratch(), 'origin.git');
  made.git('init', '--quiet', '--bare', '--initial-branch=main', origin);
  made.git('remote', 'add', 'origin', origin);
  made.git('push', '--quiet', 'origin', 'main');
  const config = JSON.parse(made.read('.docket/config.yaml')) as object;
  made.write(
    '.docket/config.yaml',
    JSON.stringify({ ...config, acceptance: ['test ! -e bad.txt || test ! -e one.txt'] }),
  );
  made.queue(['one', 'left', 'right', 'breaks', 'two'], true);
  return Object.assign(made, { origin });
}

const evidenceOf = /shared\.txt|bad\.txt/;

interface Merged {
  name: string;
  state: string;
  evidence?: string;
}

describe('five tasks in clones, brought together', { timeout: 120_000 }, () => {
  it('lands what can land, returns the rest with evidence, and commits nothing on a wrong branch', async () => {
    const at = project();
    const start = at.git('rev-parse', 'main');
    expect((await at.docket('run', '--concurrency', '5')).code).toBe(0);
    expect(at.git('rev-parse', 'main')).toBe(start);
    expect(at.git('status', '--porcelain')).toBe('');
    const branches = at.git('branch', '--list', 'takt/*', '--format=%(refname:short)').trim().split('\n');
    expect(branches).toHaveLength(5);
    for (const branch of branches) expect(at.git('rev-list', '--count', `main..${branch}`).trim()).toBe('1');
    for (const name of ['one', 'left', 'right', 'breaks', 'two'])
      expect(branches).toContain(fs.readFileSync(path.join(at.cues, `branch-${name}`), 'utf8').trim());

    const { code, out } = await at.docket('merge', '--queue', '--json');
    expect(code).toBe(5);
    const { tasks: merged } = JSON.parse(out) as { tasks: Merged[] };
    const states = Object.fromEntries(merged.map(({ name, state }) => [name, state]));
    expect([states['one'], states['two'], states['breaks']]).toEqual(['merged', 'merged', 'rejected']);
    expect([states['left'], states['right']].toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      'conflict',
      'merged',
    ]);

    const shared = at.git('show', 'main:shared.txt').trim();
    expect(shared).toBe(states['left'] === 'merged' ? 'left' : 'right');
    expect(at.git('ls-tree', '--name-only', 'main').split('\n')).not.toContain('bad.txt');
    expect(at.git('status', '--porcelain')).toBe('');
    expect(fs.readFileSync(path.join(at.root, 'shared.txt'), 'utf8').trim()).toBe(shared);
    // What did not land is where it was, and the file says why.
    const { tasks } = await at.json('list', '--status', 'blocked');
    expect(tasks.map(({ status }) => status)).toEqual(['blocked', 'blocked']);
    const written = merged
      .filter(({ state }) => state !== 'merged')
      .map(({ evidence }) => at.read(evidence ?? 'none'));
    expect(written).toEqual([expect.stringMatching(evidenceOf), expect.stringMatching(evidenceOf)]);
    const bare = execFileSync('git', ['--git-dir', at.origin, 'branch', '--list'], { encoding: 'utf8' });
    expect(bare.trim()).toBe('* main');
  });
});
