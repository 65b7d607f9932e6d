import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { createFile } from '../files.ts';
import { findProgram, requireProgram } from '../find-program.ts';
import {
  closing,
  inOrder,
  isBelow,
  isFolder,
  keptMounts,
  type Mount,
  mountOf,
  real,
} from './sandbox-mounts.ts';
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

/** What is kept from an agent beside the right to write. */
interface Confined {
  /** The project: what docket itself goes by lies there. */
  root: string;
  /** Its vendor's own folders hold what later runs obey: these names in them stay as they are. */
  settings: readonly string[];
  /** What it may read all the same. */
  paths: readonly string[];
  /** Started by what is started. */
  programs: readonly string[];
  /** docket's own, for what stands between, and for agents that are its own. */
  tools?: readonly string[];
}

interface Around {
  program: string;
  cwd: string;
  /** The work tree is only looked at. */
  readOnly: boolean;
  dir: string;
  writable: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** People's folders, and those where programs have their sockets. */
const hidden = ['/home', '/root', '/Users', '/tmp', '/var/tmp', '/mnt', '/media'];

/**
 * Mounts for work that nobody vouches for: of people's homes and of the project only what it needs. What docket goes by
 * (settings, journals, hooks and remotes) cannot be written, what holds secrets by its name cannot be read.
 */
function confinedMounts(confined: Confined, binds: readonly Mount[], around: Around): string[] {
  const { cwd, env } = around;
  const root = real(confined.root);
  const work = real(cwd);
  const homes = [...hidden, ...(env['HOME'] ? [real(env['HOME'])] : [])].filter(isFolder);
  const away = [...new Set([...homes, ...(isBelow(work, root) ? [] : [root])])].filter((at) => at !== '/');
  const shut: Mount[] = away.map((at) => ({ kind: '--tmpfs', path: at }));
  const needed = [...programs(confined, around), ...confined.paths, ...(confined.tools ?? [])]
    .map(real)
    .filter((at) => away.some((folder) => at !== folder && isBelow(folder, at)));
  const read: Mount[] = needed.map((at) => ({ kind: '--ro-bind-try', path: at }));
  const all = [
    ...shut,
    ...read,
    ...binds,
    ...keptMounts({ root, work, readOnly: around.readOnly, isHidden: true }),
    ...settingsOf(confined, around),
  ];
  const nothing = path.join(real(around.dir), 'nothing');
  createFile(nothing, '');
  return [...inOrder(all).flatMap((mount) => mountOf(mount, nothing)), ...closing(all)];
}

/** The programs on PATH with the libraries beside them, and where each that is started really is. */
function programs({ programs: more }: Confined, { program, env }: Around): string[] {
  const onPath = (env['PATH'] ?? '').split(':').filter((folder) => path.isAbsolute(folder));
  const folders = [path.dirname(process.execPath), ...onPath].filter(
    (folder) => real(folder) !== real(env['HOME'] ?? '/'),
  );
  const started = [program, ...more].flatMap((file) => {
    const found = real(file);
    const modules = found.lastIndexOf('/node_modules/');
    return [file, modules < 0 ? found : found.slice(0, modules)];
  });
  const trusted = [env['SSL_CERT_FILE'], env['SSL_CERT_DIR'], env['NODE_EXTRA_CA_CERTS']].filter(
    (at) => at !== undefined,
  );
  const libraries = folders.flatMap((folder) => [folder, path.join(folder, '..', 'lib')]);
  return [...libraries, ...started, ...trusted].filter((at) => path.isAbsolute(at) && fs.existsSync(at));
}

function settingsOf({ settings }: Confined, { writable }: Around): Mount[] {
  const all = writable.flatMap((folder) => settings.map((name) => path.join(real(folder), name)));
  return all.filter((at) => fs.existsSync(at)).map((at) => ({ kind: '--ro-bind', path: real(at) }));
}
