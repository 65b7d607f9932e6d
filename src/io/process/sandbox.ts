import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { findProgram, requireProgram } from '../find-program.ts';
import { confinedMounts, type Confined } from './sandbox-confined.ts';
import { keptMounts } from './sandbox-kept.ts';
import { closing, inOrder, mountOf, real, type Mount } from './sandbox-mounts.ts';
import { tempFolderOf } from './temp-folder.ts';

export interface SandboxWish {
  cwd: string;
  /** The project: what docket goes by there, and in the work tree, cannot be written. */
  root: string;
  /** The work tree is only looked at. */
  readOnly: boolean;
  /** The attempt's own folder. */
  dir: string;
  mark: string;
  network: boolean;
  /** What the agent must keep between its runs: its settings, login and sessions. What is not there stays so. */
  writable: readonly string[];
  /** The agent's environment. */
  env: Readonly<Record<string, string>>;
  /** For work that nobody vouches for. */
  confined?: Confined;
}

/**
 * The same command inside bubblewrap: it sees the whole file system and may write only to its workspace, its own
 * folders and what is named. Refuses where that cannot be had: nothing runs with less than was asked for.
 */
export async function sandboxed(argv: readonly string[], wish: SandboxWish): Promise<string[]> {
  const program = requireProgram(argv[0] ?? '', wish.env, wish.cwd);
  const bwrap = findProgram('bwrap', process.env, '/');
  if (bwrap === undefined) {
    throw refused(
      'the outer sandbox needs bubblewrap, and there is no "bwrap" on PATH',
      'install bubblewrap (for example apt-get install bubblewrap), or set "sandbox: none"',
    );
  }
  await assertWorks(bwrap, wish.network);
  const mounts = wish.confined
    ? confinedMounts(wish.confined, bindsOf(wish), { program, ...wish })
    : openMounts(wish);
  return [
    bwrap,
    ...base(wish.network),
    ...mounts,
    '--chdir',
    real(wish.cwd),
    '--',
    program,
    ...argv.slice(1),
  ];
}

/** Whether a command can be put into it here, without a network of its own. */
export async function canSandbox(): Promise<boolean> {
  const bwrap = findProgram('bwrap', process.env, '/');
  return (
    bwrap !== undefined &&
    (await assertWorks(bwrap, false).then(
      () => true,
      () => false,
    ))
  );
}

/**
 * Not `--new-session`: the supervisor began one, and SIGTERM to its group must reach the agent. Its processes get
 * numbers of their own, but we still see them under ours, with their environment; they all end with the first one.
 */
function base(network: boolean): string[] {
  // Sockets of services live in /run, and one may write to a socket on a read-only file system.
  const run = `--tmpfs /run ${runtimeKept.map((dir) => `--ro-bind-try ${dir} ${dir}`).join(' ')}`;
  const flags = `--ro-bind / / --dev /dev --proc /proc ${run} --unshare-pid --unshare-ipc --cap-drop ALL`;
  return `${flags}${network ? '' : ' --unshare-net'}`.split(' ');
}

/** Where names are looked up, and where some systems keep their programs. */
const runtimeKept = [
  '/run/systemd/resolve',
  '/run/NetworkManager',
  '/run/resolvconf',
  '/run/current-system',
  '/run/booted-system',
];

function openMounts(wish: SandboxWish): string[] {
  const { root, cwd, readOnly } = wish;
  const kept = keptMounts({ root: real(root), work: real(cwd), readOnly, isHidden: false });
  const all = [...kept, ...bindsOf(wish)];
  return [...inOrder(all).flatMap((mount) => mountOf(mount)), ...closing(all)];
}

function bindsOf({ cwd, readOnly, dir, mark, writable }: SandboxWish): Mount[] {
  return [
    ...writable.map((path) => ({ kind: '--bind-try', path: real(path) }) as const),
    { kind: '--bind', path: path.join(real(os.tmpdir()), path.basename(tempFolderOf(mark))) },
    { kind: '--bind', path: real(dir) },
    { kind: readOnly ? '--ro-bind' : '--bind', path: real(cwd) },
  ];
}

const checked = new Map<string, Promise<void>>();

/** Tried once: kernels, containers and policies forbid it in too many ways to guess. */
function assertWorks(bwrap: string, network: boolean): Promise<void> {
  const key = `${bwrap} ${network}`;
  const known = checked.get(key);
  if (known) return known;
  const trial = new Promise<void>((resolve, reject) => {
    const args = [...base(network), '--', '/bin/sh', '-c', ':'];
    execFile(bwrap, args, { timeout: 10_000, killSignal: 'SIGKILL' }, (error, _stdout, stderr) => {
      if (!error) return resolve();
      checked.delete(key);
      const why = stderr.trim() || error.message;
      reject(
        refused(
          `bubblewrap does not work here: ${why}`,
          'allow user namespaces (sysctl kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns, or the options of the container), or set "sandbox: none"',
        ),
      );
    });
  });
  checked.set(key, trial);
  return trial;
}

function refused(message: string, fix: string): DocketError {
  return new DocketError('REFUSED', message, fix, { problem: 'sandbox' });
}
