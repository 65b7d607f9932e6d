import path from 'node:path';
import { DocketError } from '../errors.ts';
import { findUp, isDirectory } from '../io/find-up.ts';
import { exists, realFolder } from '../io/links.ts';

export interface RootOptions {
  cwd: string;
  /** Default: the process's own. */
  env?: Readonly<Record<string, string | undefined>>;
  /** `--root`: this folder and none above it. */
  root?: string;
}

/**
 * The folder whose tasks are meant. `named`: by `--root`. `found`: the nearest one upwards with a marker. `workspace`: the
 * project of the task that is worked on here. `none`: nothing is here yet, and the current folder would become one.
 */
export type Root =
  | { root: string; how: 'named' | 'found' }
  | { root: string; how: 'workspace'; task: string }
  /** `passed`: one that has a marker, but is not taken for what lies below it. */
  | { root: string; how: 'none'; passed?: string };

const markers = ['.docket', '.takt', '.agentmesh', '.git'];
/** They make a root of the folder that they are in, and of none below: others have folders of these names too. */
const here = ['.tmp/task', 'state/tasks.jsonl'];

/** A workspace is a repository, and nobody's project: what is asked for there is asked for in the project. */
export async function findRoot(options: RootOptions): Promise<Root> {
  const { cwd, env = process.env } = options;
  if (options.root !== undefined) return { root: folder(options.root), how: 'named' };
  assertReadable(cwd); // a folder above it may be another project
  const project = mayBeWorkspace(cwd)
    ? await (await import('./workspace-root.ts')).projectOf(cwd, env)
    : undefined;
  if (project) return { ...project, how: 'workspace' };
  const packets = projectOfPacket(cwd);
  if (packets !== undefined) return { root: packets, how: 'found' };
  const found = findUp(cwd, markers);
  if (found !== undefined && (found === path.resolve(cwd) || !isEverybodys(found, env)))
    return { root: folder(found), how: 'found' };
  if (hasAny(cwd, here)) return { root: folder(cwd), how: 'found' };
  return { root: folder(cwd), how: 'none', ...(found !== undefined && { passed: found }) };
}

/** Something was made there since. */
export function isProject(root: string): boolean {
  return hasAny(root, [...markers, ...here]);
}

/** A packet's agents work in a copy of the project, which is no project of its own. */
function projectOfPacket(cwd: string): string | undefined {
  if (!`${cwd}/`.includes('/.docket/packet/')) return undefined;
  return /^(.+?)\/\.docket\/packet\/[^/]+\/work(?:\/|$)/.exec(realFolder(cwd))?.[1];
}

/** Cheap, because each command asks it. */
function mayBeWorkspace(cwd: string): boolean {
  if (`${cwd}/`.includes('/.docket/queue/clones/')) return true;
  return findUp(cwd, ['.git/docket.json']) !== undefined || isLinked(cwd);
}

/** In a work tree or a submodule `.git` is a file. */
function isLinked(cwd: string): boolean {
  const top = findUp(cwd, ['.git']);
  if (top === undefined) return false;
  return !isDirectory(path.join(top, '.git')) || (top !== path.dirname(top) && isLinked(path.dirname(top)));
}

/** Other tools keep their settings in a home under the same names; what lies below it is not one project. */
function isEverybodys(found: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const home = env['HOME'];
  return found === path.parse(found).root || (home !== undefined && found === path.resolve(home));
}

const hasAny = (root: string, names: readonly string[]): boolean =>
  names.some((name) => exists(path.join(root, name)));

/** Node cannot name a folder whose path is not UTF-8: it puts U+FFFD for what it cannot read, and finds nothing there. */
function assertReadable(folder: string): void {
  if (!folder.includes('\uFFFD') || isDirectory(folder)) return;
  throw new DocketError(
    'INVALID',
    `the path of this folder is not valid UTF-8, and docket cannot work in it: ${folder}`,
    'rename the folder, or the one above it whose name is shown with \uFFFD, and run the command again',
    { path: folder },
  );
}

/** Without links: git names files by their real paths, and one project must not have two names. */
function folder(root: string): string {
  assertReadable(root);
  if (isDirectory(root)) return realFolder(root);
  throw new DocketError('NOT_FOUND', `there is no folder ${root}`, 'create it, or give another --root', {
    path: root,
  });
}
