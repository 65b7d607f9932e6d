import fs from 'node:fs';
import path from 'node:path';
import { createFile } from '../files.ts';
import { keptMounts } from './sandbox-kept.ts';
import { closing, inOrder, isBelow, isFolder, mountOf, real, type Mount } from './sandbox-mounts.ts';

/** What is kept from an agent beside the right to write. */
export interface Confined {
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
export function confinedMounts(confined: Confined, binds: readonly Mount[], around: Around): string[] {
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
