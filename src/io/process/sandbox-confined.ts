import fs from 'node:fs';
import path from 'node:path';
import { createFile } from '../files.ts';
import { closing, inOrder, isBelow, mountOf, real, type Mount } from './sandbox-mounts.ts';

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
    ...kept(root, work, around.readOnly),
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

/** What docket goes by. */
const own = [
  '.docket',
  '.takt',
  '.agentmesh',
  '.tmp/task',
  'configs/servant',
  'configs/servants',
  'configs/pipeline',
  'prompts-src',
];
const board = ['state', 'config/acceptance-policy.json', 'docs/protocol-config.json'];
const secrets = /^(?:\.env(?:\..+)?|\.npmrc|\.yarnrc\.yml|\.netrc|\.pypirc|\.git-credentials)$/;
const sample = /\.(?:example|sample|template|dist)$/;

/** An agent in a clone of its own may commit there, and change neither remotes nor hooks; elsewhere people commit. */
function kept(root: string, work: string, readOnly: boolean): Mount[] {
  const inPlace = isBelow(work, root);
  const isBoard = fs.existsSync(path.join(root, 'state/tasks.jsonl'));
  const names = [...own, ...(inPlace && isBoard ? board : [])];
  const ours = names.map((name) => path.join(inPlace ? root : work, name));
  const clone = path.join(work, '.git');
  const isClone = !inPlace && isFolder(clone);
  const git = isClone ? clone : path.join(root, '.git');
  const repositories = isClone ? [git, ...modulesOf(git)] : [];
  const obeyed = isClone
    ? repositories.flatMap((at) =>
        ['config', 'config.worktree', 'hooks', 'info'].map((name) => path.join(at, name)),
      )
    : [git];
  const secretive = fs.readdirSync(work).filter((name) => secrets.test(name) && !sample.test(name));
  // A remote's address may hold a token.
  const blind = [
    ...secretive.map((name) => path.join(work, name)),
    ...(isClone ? [] : [path.join(git, 'config')]),
  ];
  const there = (at: string): boolean => fs.existsSync(at);
  const missing = (at: string): boolean => !there(at) && isTop(at, work);
  // Of the project's own one the journal and other tasks are nobody's business. What a clone adds would be committed.
  const gone = inPlace
    ? [path.join(root, '.docket')].filter(there)
    : ours.filter((at) => !readOnly && missing(at));
  const shut = [...ours, ...obeyed].filter((at) => there(at) && !gone.includes(at));
  // What is mounted cannot be moved away, to put another in its place: so each folder on the way is.
  const fixed = readOnly ? [] : waysTo(work, [...shut.map((at) => path.dirname(at)), ...repositories]);
  return [
    ...gone.map((at): Mount => ({ kind: 'empty folder', path: at })),
    ...fixed.map((at): Mount => ({ kind: '--bind', path: at })),
    ...shut.map((at): Mount => ({ kind: '--ro-bind', path: real(at) })),
    ...blind.filter(there).map((at): Mount => ({ kind: 'empty', path: real(at) })),
  ];
}

/** The repositories of the submodules, and of theirs. */
function modulesOf(gitDir: string): string[] {
  const look = (folder: string): string[] =>
    fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isDirectory()) return [];
      const at = path.join(folder, entry.name);
      return fs.existsSync(path.join(at, 'HEAD')) ? [at, ...modulesOf(at)] : look(at);
    });
  const modules = path.join(gitDir, 'modules');
  return isFolder(modules) ? look(modules) : [];
}

/** The folders below one that lead to others, those among them. */
function waysTo(from: string, folders: readonly string[]): string[] {
  const all = folders.flatMap((folder) => {
    const names = path.relative(from, folder).split(path.sep);
    return names.map((_, at) => path.join(from, ...names.slice(0, at + 1)));
  });
  return [...new Set(all)].filter((at) => at !== from && isBelow(from, at) && real(at) === at);
}

function isTop(at: string, folder: string): boolean {
  return path.dirname(at) === folder && path.basename(at).startsWith('.');
}

function settingsOf({ settings }: Confined, { writable }: Around): Mount[] {
  const all = writable.flatMap((folder) => settings.map((name) => path.join(real(folder), name)));
  return all.filter((at) => fs.existsSync(at)).map((at) => ({ kind: '--ro-bind', path: real(at) }));
}

function isFolder(at: string): boolean {
  return fs.statSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
