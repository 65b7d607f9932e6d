import path from 'node:path';
import { makeDir, readBytes, replaceFile } from '../io/files.ts';
import { findProgram } from '../io/find-program.ts';
import { removeTree } from '../io/folders.ts';
import { copyPacks } from '../io/git-objects.ts';
import { git, tryGit, tryGitInTurn } from '../io/git.ts';
import { branchRef, noHooks } from './branch.ts';
import type { Source } from './place.ts';
import { stateCall } from './tree.ts';

interface Wanted {
  branch: string;
  /** What the branch stands at. */
  commit: string;
  /** The branch that it was made from, beside it. */
  base?: { name: string; commit: string };
  settings: Readonly<Record<string, string>>;
}

/**
 * An independent copy with one branch checked out, and the one it was made from beside it. It has no remote: what is
 * pushed there by mistake goes nowhere, and the root takes the work from it by itself. No file is shared with the root.
 * Returns what git says of its state, where it was asked in passing.
 */
export async function makeClone(source: Source, place: string, wanted: Wanted): Promise<{ status?: string }> {
  const settings = { ...wanted.settings, ...withoutLfs(source.root) };
  const status = await copied(source, place, { ...wanted, settings });
  if (status !== undefined) return { status };
  removeTree(place);
  await cloned(source, place, { ...wanted, settings });
  return {};
}

/**
 * The packs as files, what is in none as one more, the branches as a list, and git for the rest. Git's own clone packs all
 * objects anew to be independent, which takes several times as long, and the longer the more there are. Undefined: it has
 * to do it all the same.
 */
async function copied(
  { common, isPlain, prefix, root }: Source,
  place: string,
  { branch, commit, base, settings }: Wanted,
): Promise<string | undefined> {
  if (!isPlain) return undefined;
  const gitDir = path.join(place, '.git');
  const objects = path.join(gitDir, 'objects');
  const single = await copyPacks(path.join(common, 'objects'), objects);
  if (!single) return undefined;
  const refs = new Map([[branchRef(branch), commit]]);
  if (base && base.name !== branch) refs.set(branchRef(base.name), base.commit);
  replaceFile(path.join(gitDir, 'packed-refs'), packedRefs(refs));
  replaceFile(path.join(gitDir, 'config'), configText(settings));
  exclude(gitDir, common);
  const pack = ['pack-objects', '--quiet', '--window=0', '--compression=1', path.join(objects, 'pack/pack')];
  const init = ['init', '--quiet', '--object-format=sha1', `--initial-branch=${branch}`, place];
  const fill = ['-C', place, 'read-tree', '--reset', '-u', 'HEAD'];
  const cwd = path.join(place, prefix);
  makeDir(cwd);
  const look = ['-C', cwd, ...stateCall];
  const calls = [...(single.length > 0 ? [pack] : []), init, fill, look];
  const env = { GIT_DEFAULT_REF_FORMAT: 'files' };
  const options = { timeoutMs: 0, config: noHooks, env, input: single.map((name) => `${name}\n`).join('') };
  const { code, stdout } = await tryGitInTurn(root, calls, options);
  return code === 0 ? stdout.replace(/^[0-9a-f]{40}\n/, '') : undefined; // the pack's name
}

function packedRefs(refs: ReadonlyMap<string, string>): string {
  const bytes = ([a]: [string, string], [b]: [string, string]) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b));
  const lines = [...refs].toSorted(bytes).map(([ref, commit]) => `${commit} ${ref}\n`);
  return `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`;
}

/** By git alone. */
async function cloned(
  { common, isShallow, root }: Source,
  place: string,
  { branch, base, settings }: Wanted,
): Promise<void> {
  const config = Object.entries(settings).map(([key, value]) => `--config=${key}=${value}`);
  if (base && base.name !== branch)
    config.push(`--config=remote.origin.fetch=+refs/heads/${base.name}:refs/heads/${base.name}`);
  const args = ['--quiet', `--branch=${branch}`, ...config];
  const options = { timeoutMs: 0, config: noHooks };
  const shared = ['clone', '--no-local', ...args, `--reference=${common}`, '--dissociate', common, place];
  const done = isShallow ? undefined : await tryGit(root, shared, options);
  if (done?.code !== 0) {
    // Not every repository can be referred to: a shallow or partial one cannot. A plain copy is always possible.
    removeTree(place);
    await git(root, ['clone', '--no-hardlinks', ...args, common, place], options);
  }
  await git(place, ['remote', 'remove', 'origin']);
  exclude(path.join(place, '.git'), common);
}

/** Writes what people exclude in their own repository only into another one. */
export function exclude(gitDir: string, common: string): void {
  makeDir(path.join(gitDir, 'info'));
  replaceFile(path.join(gitDir, 'info/exclude'), excludedIn(common));
}

/** What people exclude in their own copy only would otherwise be committed in a clone. */
export function excludedIn(common: string): string {
  return `${readBytes(path.join(common, 'info/exclude'))?.toString('utf8') ?? ''}\n/.docket/\n`;
}

/**
 * Where git-lfs is configured and not installed, git fails at the first such file. Without its filters it is what the
 * repository holds: a pointer, and is committed as one.
 */
export function withoutLfs(cwd: string): Record<string, string> {
  if (findProgram('git-lfs', process.env, cwd) !== undefined) return {};
  const empty = ['process', 'smudge', 'clean'].map((key) => [`filter.lfs.${key}`, '']);
  return { ...Object.fromEntries(empty), 'filter.lfs.required': 'false' };
}

/**
 * Settings as git's own file has them. It ends with an open `[core]`, where git puts what it finds out by itself: what
 * anybody adds at the end belongs to that.
 */
export function configText(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([key, value]) => {
    const [section, name] = [key.slice(0, key.indexOf('.')), key.slice(key.lastIndexOf('.') + 1)];
    const below = key.slice(section.length + 1, -name.length - 1);
    return `[${section}${below === '' ? '' : ` ${quoted(below)}`}]\n\t${name} = ${quoted(value)}\n`;
  });
  return `${lines.join('')}[core]\n`;
}

function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
  return `"${escaped}"`;
}
