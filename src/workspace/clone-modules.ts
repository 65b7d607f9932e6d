import path from 'node:path';
import { git, tryGit } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { noHooks } from './branch.ts';
import { gitlinksIn } from './gitlinks.ts';

interface Submodule {
  name: string;
  path: string;
}

/** What a work tree's own file says of its submodules. */
async function submodulesIn(folder: string): Promise<Submodule[]> {
  if (!exists(path.join(folder, '.gitmodules'))) return [];
  const wanted = String.raw`^submodule\..*\.path$`;
  const args = ['config', '--file', '.gitmodules', '-z', '--get-regexp', wanted];
  const { stdout } = await tryGit(folder, args);
  return stdout.split('\0').flatMap((pair) => {
    const [key = '', at = ''] = pair.split('\n');
    return at === '' ? [] : { name: key.slice('submodule.'.length, -'.path'.length), path: at };
  });
}

/** A repository of a submodule, as the root has it. A name that leads elsewhere is none. */
function moduleIn(common: string, { name }: Submodule): string | undefined {
  const base = path.join(common, 'modules');
  const dir = path.resolve(base, name);
  return dir.startsWith(base + path.sep) && exists(path.join(dir, 'HEAD')) ? dir : undefined;
}

/** A submodule that is checked out in a workspace. */
export interface CheckedOut {
  /** From the top of the workspace. */
  path: string;
  folder: string;
  /** The repository in the root that has the same; absent: the workspace alone has it. */
  home?: string;
}

/** Those in other submodules too. `common`: the root's own git folder. */
export async function checkedOutIn(place: string, common: string | undefined): Promise<CheckedOut[]> {
  const found: CheckedOut[] = [];
  for (const { path: at, folder, module: name } of await gitlinksIn(place)) {
    if (name === undefined) continue;
    const home = common === undefined ? undefined : moduleIn(common, { name, path: at });
    const inner = await checkedOutIn(folder, home);
    found.push({ path: at, folder, ...(home !== undefined && { home }) });
    found.push(...inner.map((one) => ({ ...one, path: `${at}/${one.path}` })));
  }
  return found;
}

/**
 * Fills the submodules that the root has, from the root: nobody is asked over the network. They get no remote either.
 * False: there was nothing to fill.
 */
export async function fillModules(common: string, place: string): Promise<boolean> {
  const there = (await submodulesIn(place)).flatMap((module) => {
    const from = moduleIn(common, module);
    const isEmpty = !exists(path.join(place, module.path, '.git'));
    return from !== undefined && isEmpty ? [{ ...module, from }] : [];
  });
  if (there.length === 0) return false;
  const urls = there.map(({ name, from }) => [`submodule.${name}.url`, from]);
  const active = there.map(({ name }) => [`submodule.${name}.active`, 'true']);
  const config = {
    ...noHooks,
    ...Object.fromEntries([...urls, ...active]),
    'protocol.file.allow': 'always',
  };
  const paths = there.map((module) => module.path);
  await git(place, ['submodule', '--quiet', 'update', '--init', '--', ...paths], { config, timeoutMs: 0 });
  for (const at of paths) await git(path.join(place, at), ['remote', 'remove', 'origin']);
  return true;
}
