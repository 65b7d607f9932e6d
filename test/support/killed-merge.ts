import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { put } from './workspaces.ts';

/**
 * What a kill inside of `git worktree add` leaves in a repository: an entry without a commit, locked by git itself. Older
 * versions of docket tried their merges in such work trees. Returns the entry.
 */
export function brokenTrial(root: string, dir: string, { isThere = false } = {}): string {
  const name = randomUUID();
  const entry = path.join(root, '.git/worktrees', name);
  const trial = path.join(dir, 'trials', name);
  put(entry, 'HEAD', `${'0'.repeat(40)}\n`);
  put(entry, 'gitdir', `${trial}/.git\n`);
  put(entry, 'commondir', '../..\n');
  put(entry, 'locked', 'initializing\n');
  if (isThere || fs.existsSync(dir)) put(trial, '.git', `gitdir: ${entry}\n`);
  return entry;
}

/** Git that works on a trial dies too. One that works in people's repository outlives docket, as it does after a kill -9. */
const isOurs = 'case "$*$PWD$GIT_WORK_TREE" in */trials/*) kill -9 $! ;; esac';

/**
 * Puts a git in front of the real one that kills docket at its call number `at`: before it does anything, or in the
 * middle of it. Calls are counted from each time this is called.
 */
export function dyingGit(bin: string, at: number, how: 'before' | 'during'): void {
  const real = (process.env['PATH'] ?? '')
    .split(':')
    .map((dir) => path.join(dir, 'git'))
    .find((file) => fs.existsSync(file));
  fs.rmSync(bin, { recursive: true, force: true });
  const script = [
    '#!/bin/sh',
    `n=$(($(cat '${bin}/calls' 2>/dev/null || echo 0) + 1)); echo $n > '${bin}/calls'`,
    `[ "$n" = ${at} ] || exec '${real}' "$@"`,
    'docket=$PPID; [ "$(cat /proc/$PPID/comm)" = sh ] && docket=$(cut -d" " -f4 /proc/$PPID/stat)',
    ...(how === 'during' ? [`'${real}' "$@" & sleep 0.00${at % 7}`, isOurs] : []),
    'kill -9 $docket',
  ];
  put(bin, 'git', `${script.join('\n')}\n`);
  fs.chmodSync(path.join(bin, 'git'), 0o755);
}
