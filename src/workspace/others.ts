import path from 'node:path';
import { isFileOrLink } from '../io/links.ts';
import { asText, parts } from './bytes.ts';
import { repositoryAt, type Repository } from './repositories.ts';
import type { Area, TreeStore } from './tree-store.ts';

/** Ignored files count as well where this says so. `below`: the folders to look in, '.' for everywhere. */
export interface Watched {
  below: readonly string[];
  matches(path: string): boolean;
}

const docketsOwn = /^(\.docket|\.tmp\/task|\.tmp\/archive)(\/|$)/;

/**
 * Brings the store's list of files up to date: what is tracked, what is new, and both in every repository below the
 * root. Returns the repositories. A submodule's files are files like others here.
 */
export async function addOthers(
  store: TreeStore,
  { root, own, known, watched }: Place,
): Promise<Map<string, Repository>> {
  const found = new Map([['', own]]);
  const all = { folder: root, prefix: '' };
  const ours = (name: string): boolean => docketsOwn.test(name);
  await store.refresh(
    all,
    own.tracked.filter((name) => !ours(name)),
  );
  const here = await othersIn(store, all, own, watched);
  const open = [...here.nested, ...own.modules.map((name) => `${name}/`), ...known];
  const files: string[] = [];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (found.has(at) || ours(at)) continue;
    const area = { folder: path.resolve(root, asText(at)), prefix: asText(at) };
    const repository = await repositoryAt(area.folder, false);
    if (!repository) continue;
    found.set(at, repository);
    const { files: others, nested } = await othersIn(store, area, repository);
    files.push(...[...repository.tracked, ...others].map((name) => at + name));
    open.push(...[...nested, ...repository.modules.map((name) => `${name}/`)].map((name) => at + name));
  }
  const inner = [...found.keys()].filter((at) => at !== '');
  const direct = here.files.filter((name) => !inner.some((at) => name.startsWith(at)));
  await store.add(
    all,
    [...direct, ...files].filter((name) => !ours(name)),
  );
  return found;
}

interface Place {
  root: string;
  own: Repository;
  known: readonly string[];
  watched: Watched | undefined;
}

/** What no index knows. Asked of our own repository: the user's index can hide what stands in a tracked file's place. */
async function othersIn(
  store: TreeStore,
  area: Area,
  { dir }: Repository,
  watched?: Watched,
): Promise<{ files: string[]; nested: string[] }> {
  const rules = path.join(dir, 'info/exclude');
  const args = ['ls-files', '-z', '--others', '--exclude-standard'];
  if (isFileOrLink(rules)) args.push(`--exclude-from=${rules}`);
  const below = watched?.below ?? [];
  const [others, hidden, ignored] = await Promise.all([
    store.run(area, args),
    store.run(area, [...args, '--ignored', '--directory']),
    below.length > 0 ? store.run(area, ['--literal-pathspecs', ...args, '--ignored', '--', ...below]) : '',
  ]);
  const isNested = (name: string): boolean => name.endsWith('/');
  return {
    files: [
      ...parts(others).filter((name) => !isNested(name)),
      ...parts(hidden).filter((name) => /(^|\/)\.gitignore$/.test(name)), // a rule may hide itself
      ...parts(ignored).filter((name) => !isNested(name) && watched?.matches(asText(name))),
    ],
    nested: parts(others).filter(isNested),
  };
}
