import path from 'node:path';
import { DocketError } from '../errors.ts';
import { findUp, isDirectory } from '../io/find-up.ts';
import { exists } from '../io/links.ts';

export interface RootOptions {
  cwd: string;
  /** Default: the process's own. */
  env?: Readonly<Record<string, string | undefined>>;
  /** `--root`: used as it is. */
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
  const project = mayBeWorkspace(cwd)
    ? await (await import('./workspace-root.ts')).projectOf(cwd, env)
    : undefined;
  if (project) return { ...project, how: 'workspace' };
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

function folder(root: string): string {
  if (isDirectory(root)) return root;
  throw new DocketError('NOT_FOUND', `there is no folder ${root}`, 'create it, or give another --root', {
    path: root,
  });
}
