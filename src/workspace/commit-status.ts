import path from 'node:path';
import { kindOfName } from '../io/copies.ts';
import { readBytes } from '../io/files.ts';
import { git, tryGit } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { noHooks } from './branch.ts';
import { asText, parts } from './bytes.ts';
import { gitlinksIn } from './gitlinks.ts';

/** What a work tree has that its last commit has not. */
export interface Uncommitted {
  /** '' while HEAD is detached. */
  branch: string;
  /** '' where there is no commit. */
  head: string;
  /** Changed, staged, new. */
  paths: string[];
  /** In the middle of a merge. */
  unmerged: string[];
  /** Repositories of their own in it, which git takes for one thing: their files cannot be committed. */
  repositories: string[];
  /** Submodules with changes that they have not committed themselves. */
  modules: string[];
  /** All submodules that are checked out. */
  checkedOut: string[];
}

/**
 * Never by the way that git itself takes into submodules: it obeys what is written there, and anybody may have put one
 * there and written anything.
 */
export const notWithin = '--ignore-submodules=dirty';

/** `cwd`: the top of the work tree. `config`: what is harmless there, where that is known. */
export async function uncommittedIn(
  cwd: string,
  config?: Readonly<Record<string, string>>,
): Promise<Uncommitted> {
  const how = ['--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--no-renames'];
  const args = ['status', ...how, notWithin];
  const told = parts(await git(cwd, args, { bytes: true, config: config ?? (await harmless(cwd)) })).map(
    asText,
  );
  const header = (name: string) =>
    told.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3) ?? '';
  const found: Uncommitted = {
    branch: header('branch.head').replace(/^\(detached\)$/, ''),
    head: header('branch.oid').replace(/^\(initial\)$/, ''),
    paths: [],
    unmerged: [],
    repositories: [],
    modules: [],
    checkedOut: [],
  };
  for (const line of told) {
    const [kind = ''] = line;
    const fields = { 1: 8, u: 10, '?': 1 }[kind];
    if (fields === undefined) continue;
    const name = line.split(' ').slice(fields).join(' ');
    if (kind === 'u') found.unmerged.push(name);
    if (name.endsWith('/')) found.repositories.push(name);
    else found.paths.push(name);
  }
  for (const link of await gitlinksIn(cwd)) {
    if (link.module === undefined) {
      found.repositories.push(`${link.path}/`);
      found.paths = found.paths.filter((name) => name !== link.path);
      continue;
    }
    found.checkedOut.push(link.path);
    const inner = await uncommittedIn(link.folder);
    found.repositories.push(...inner.repositories.map((name) => `${link.path}/${name}`));
    if (inner.paths.length === 0) continue;
    found.modules.push(link.path);
    if (!found.paths.includes(link.path)) found.paths.push(link.path);
  }
  return found;
}

/**
 * Settings that start programs and stand in the work tree's own file are not obeyed: whoever worked there could have
 * written them. Those of the user and the machine stay.
 */
export async function harmless(cwd: string): Promise<Record<string, string>> {
  if (namesNoFilter(cwd)) return { ...noHooks };
  const args = ['config', '--show-scope', '-z', '--get-regexp', String.raw`^filter\.`];
  const words = (await tryGit(cwd, args)).stdout.split('\0');
  const config: Record<string, string> = { ...noHooks };
  for (let at = 0; at + 1 < words.length; at += 2) {
    const key = words[at + 1]?.split('\n', 1)[0] ?? '';
    if (words[at] === 'local' || words[at] === 'worktree')
      config[key] = key.endsWith('.required') ? 'false' : '';
  }
  return config;
}

/**
 * By the words of its file, so that git need not be asked about most clones: a filter, or another file that has one, cannot
 * be named in any other way. The filters that docket itself emptied end where the next part begins.
 */
function namesNoFilter(cwd: string): boolean {
  const dir = path.join(cwd, '.git');
  if (kindOfName(dir)?.kind !== 'folder' || exists(path.join(dir, 'commondir'))) return false;
  const text = readBytes(path.join(dir, 'config'))?.toString('latin1');
  const emptied = /\[filter "lfs"\]\n\t(?:(?:process|smudge|clean) = ""|required = "false")\n(?=\[)/g;
  return text !== undefined && !/filter|include|worktreeconfig/i.test(text.replaceAll(emptied, '\n'));
}
