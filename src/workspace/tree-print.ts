import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Content, contentAt, contentMark } from '../io/content.ts';
import { tryGit } from '../io/git.ts';
import { ownPlacesIn } from '../io/own-places.ts';
import type { TreeState } from './tree.ts';

/** The contents of a work tree: the same ones have the same print, whenever and by whom they were written. */
interface TreePrint {
  print: string;
  /** Path → the name of its content; only of what is not committed. Gone: ''. */
  files: ReadonlyMap<string, string>;
}

const longestFile = 8 * 1024 * 1024;
/** What is new beyond so much at one look is told apart by its size and times. */
const mostBytes = 64 * 1024 * 1024;

/** Looks into those files only that are others than at the last look. */
export class TreePrints {
  readonly #cwd: string;
  readonly #trees = new Map<string, Promise<string>>();
  readonly #known = new Map<string, { version: string; id: string }>();
  #left = 0;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** `fresh`: a content that was not there at the last look. */
  async of({ head, dirty }: TreeState, fresh: (id: string, content: Content) => void): Promise<TreePrint> {
    const hash = createHash('sha256').update(await this.#treeOf(head));
    const files = new Map<string, string>();
    this.#left = mostBytes;
    for (const [name, state] of [...dirty].toSorted(byName)) {
      const version = state.slice(state.lastIndexOf(' ') + 1);
      const known = this.#known.get(name);
      const id = known?.version === version ? known.id : this.#look(name, version, fresh);
      files.set(name, id);
      hash.update(`\0${name}\0${id}`);
    }
    for (const name of this.#known.keys()) if (!files.has(name)) this.#known.delete(name);
    return { print: hash.digest('hex').slice(0, 32), files };
  }

  #look(name: string, version: string, fresh: (id: string, content: Content) => void): string {
    const content = this.#left > 0 ? contentAt(path.join(this.#cwd, name), longestFile) : other;
    this.#left -= content?.bytes.length ?? 0;
    const id = content === undefined ? '' : nameOf(content, version);
    this.#known.set(name, { version, id });
    if (content && content.kind !== 'other') fresh(id, content);
    return id;
  }

  /** A commit of the same files is the same tree, whenever it was made. */
  #treeOf(head: string): Promise<string> {
    const found = this.#trees.get(head) ?? treeOf(this.#cwd, head);
    this.#trees.set(head, found);
    return found;
  }
}

const other: Content = { kind: 'other', bytes: Buffer.alloc(0) };

function nameOf({ kind, bytes }: Content, version: string): string {
  const hash = createHash('sha256').update(`${kind}\0`);
  return hash
    .update(kind === 'other' ? version : bytes)
    .digest('hex')
    .slice(0, 32);
}

async function treeOf(cwd: string, head: string): Promise<string> {
  if (head === '') return '';
  const { code, stdout } = await tryGit(cwd, ['rev-parse', '--verify', '--quiet', `${head}^{tree}`]);
  return code === 0 ? stdout.trim() : head;
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : Number(a > b);
}

/** Tells one state of a work tree from another by content: the commit, and a hash of all that differs from it. */
export function fingerprintOf(cwd: string, state: TreeState | undefined): string {
  if (!state) return '';
  const isOwn = ownPlacesIn(cwd);
  const names = [...state.dirty.keys()].filter((name) => !isOwn(name)).toSorted();
  const head = state.head.slice(0, 12) || 'no-commit';
  if (names.length === 0) return `${head}-clean`;
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\0${contentMark(path.join(cwd, name))}\0`);
  return `${head}-${hash.digest('hex').slice(0, 16)}`;
}
