import path from 'node:path';
import { fingerprint } from '../io/files.ts';
import { git, tryGit } from '../io/git.ts';
import { exists, isRealFolder } from '../io/links.ts';
import { readSmallFile } from '../io/plain-file.ts';
import { parts } from './bytes.ts';

/** A repository as its own git tells it: the root's, or one that lies in it. */
export interface Repository {
  /** Where hooks and settings are, for all work trees of it. */
  dir: string;
  format: string;
  head: Head;
  /** Its index, as `git ls-files -s -z` tells it. */
  staged: string;
  tracked: string[];
  /** Its submodules. */
  modules: string[];
}

/** Where a repository stands. `pointer`: what its `.git` says, where that is a file. */
export interface Head {
  pointer: string;
  ref: string;
  commit: string;
}

/** By folder, what git told this process last, and of which version of the repository. */
const told = new Map<string, { version: string; repository: Repository }>();

/** Undefined: there is none. The root's is asked for again only after it has changed. */
export async function repositoryAt(folder: string, isRoot: boolean): Promise<Repository | undefined> {
  if (!isRoot && !(isRealFolder(folder) && exists(path.join(folder, '.git')))) return undefined;
  const version = isRoot ? versionOf(folder) : undefined;
  const last = told.get(folder);
  if (version !== undefined && last?.version === version) return last.repository;
  const repository = await asked(folder, isRoot);
  const isItsOwn = repository?.dir === path.join(folder, '.git');
  if (isItsOwn && version !== undefined && version === versionOf(folder))
    told.set(folder, { version, repository });
  return repository;
}

/** Git never changes an index in place: each version is another file, and a new name in the folder. */
function versionOf(folder: string): string | undefined {
  const dir = path.join(folder, '.git');
  if (!isRealFolder(dir)) return undefined;
  const files = [dir, path.join(dir, 'index'), path.join(dir, 'config')];
  return files.map((file) => fingerprint(file) ?? '').join();
}

async function asked(folder: string, isRoot: boolean): Promise<Repository | undefined> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir', '--show-object-format'];
  // What is missing in an agent's own is not fetched: its settings would say by which program.
  const options = isRoot ? {} : { env: { GIT_NO_LAZY_FETCH: '1' } };
  const [{ code, stdout }, listed, head] = await Promise.all([
    tryGit(folder, args, options),
    tryGit(folder, ['ls-files', '-z', '--stage'], { ...options, bytes: true }),
    isRoot ? nowhere : headOf(folder),
  ]);
  if (code !== 0) return undefined;
  const [dir = '', format = ''] = stdout.split('\n');
  // Where there is a repository, an index that cannot be read is an error: asked again, git says which.
  const staged =
    listed.code === 0 ? listed.stdout : await git(folder, ['ls-files', '-z', '--stage'], { bytes: true });
  const entries = parts(staged);
  const isModule = (entry: string): boolean => entry.startsWith('160000 ');
  const nameOf = (entry: string): string => entry.slice(entry.indexOf('\t') + 1);
  return {
    dir,
    format,
    head,
    staged,
    tracked: entries.filter((entry) => !isModule(entry)).map(nameOf),
    modules: entries.filter(isModule).map(nameOf),
  };
}

/** The repository of a copy, without a call of git: the snapshot lists the files, and the index of a copy does not count. */
export function repositoryOfCopy(folder: string, format: string): Repository {
  return { dir: path.join(folder, '.git'), format, head: nowhere, staged: '', tracked: [], modules: [] };
}

/** The root's may move: whoever works there may commit. */
const nowhere: Head = { pointer: '', ref: '', commit: '' };

async function headOf(folder: string): Promise<Head> {
  const [ref, commit] = await Promise.all([
    tryGit(folder, ['symbolic-ref', '--quiet', 'HEAD']),
    tryGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD']),
  ]);
  const pointer = readSmallFile(path.join(folder, '.git')) ?? '';
  return { pointer, ref: ref.stdout.trim(), commit: commit.stdout.trim() };
}
