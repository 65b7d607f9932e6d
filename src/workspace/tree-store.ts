import { createHash } from 'node:crypto';
import path from 'node:path';
import { fingerprint, makeDir, readBytes, removeFile, replaceFile } from '../io/files.ts';
import { git, tryGit } from '../io/git.ts';
import { exists, isFileOrLink, isRealFolder } from '../io/links.ts';
import { readSmallFile } from '../io/plain-file.ts';
import type { ShortRun } from '../io/short-run.ts';
import { asText, joinParts, parts } from './bytes.ts';

/** A folder whose files are compared. `prefix` is how its paths begin for people. */
export interface Area {
  folder: string;
  prefix: string;
}

/** Bytes as they are: nobody's filters, line ends, programs or hooks. `merge=text`: no merge programs either. */
const attributes = '* -text -filter -ident -working-tree-encoding merge=text\n';
const settings = `[core]
	repositoryformatversion = FORMAT
	bare = false
	autocrlf = false
	fileMode = true
	symlinks = true
	protectHFS = true
	protectNTFS = true
	splitIndex = false
	hooksPath = /dev/null
[gc]
	auto = 0
[advice]
	addEmbeddedRepo = false
`;

/** By list of files, the tree that this process wrote of it, and which version of the list that was. */
const written = new Map<string, { version: string | undefined; tree: string }>();

/**
 * A repository of docket's own, beside the user's: it sees the user's objects, so it holds only what is not committed,
 * and nothing that it does shows in the user's index, stash or objects.
 */
export class TreeStore {
  readonly dir: string;

  constructor(home: string, from: { objects: readonly string[]; format: string }) {
    this.dir = path.join(home, 'trees.git');
    for (const name of ['objects/info', 'refs', 'info', 'index']) makeDir(path.join(this.dir, name));
    const extra = from.format === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${from.format}\n`;
    const config = settings.replace('FORMAT', extra === '' ? '0' : '1') + extra;
    // Looked at each time: an agent can write there too, and the user's repository may have been moved.
    this.#put('HEAD', 'ref: refs/heads/none\n');
    this.#put('config', config);
    this.#put('info/attributes', attributes);
    this.#put('objects/info/alternates', from.objects.map((at) => `${JSON.stringify(at)}\n`).join(''));
  }

  /** The repositories that were found below the root. Once their files are known here, git no longer points at them. */
  get nested(): string[] {
    return parts(readBytes(path.join(this.dir, 'nested'))?.toString('latin1') ?? '');
  }

  set nested(paths: readonly string[]) {
    this.#put('nested', joinParts(paths));
  }

  /** What is ignored, as bytes, beside what `.gitignore` files and the user's own rules say. */
  set excluded(rules: string) {
    this.#put('info/exclude', rules);
  }

  /** `text`: as bytes. */
  #put(name: string, text: string): void {
    const file = path.join(this.dir, name);
    if (readSmallFile(file) !== text) replaceFile(file, Buffer.from(text, 'latin1'), { own: true });
  }

  run(area: Area, args: readonly string[], input = ''): Promise<string> {
    return git(area.folder, args, { env: this.#env(area), input, bytes: true });
  }

  tryRun(area: Area, args: readonly string[], input = ''): Promise<ShortRun> {
    return tryGit(area.folder, args, { env: this.#env(area), input, bytes: true });
  }

  /** Takes in what these files are now, and all that the area had when it was last looked at. */
  async refresh(area: Area, listed: readonly string[]): Promise<void> {
    this.unlock(area);
    const had = exists(this.#index(area)) ? parts(await this.run(area, ['ls-files', '-z'])) : [];
    await this.add(area, [...new Set([...had, ...listed])]);
  }

  /** Only a git that died leaves a lock: the folder is one docket's. */
  unlock(area: Area): void {
    removeFile(`${this.#index(area)}.lock`);
  }

  async add(area: Area, paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
    if ((await this.tryRun(area, args, joinParts(paths))).code === 0) return;
    // What is no file or link now (a folder, a pipe), or lies behind a link, stops git; it counts as gone.
    const isThere = (name: string): boolean => {
      const place = path.join(area.folder, asText(name));
      return isFileOrLink(place) && isRealFolder(path.dirname(place));
    };
    const gone = paths.filter((name) => !isThere(name));
    await this.run(area, ['update-index', '--force-remove', '-z', '--stdin'], joinParts(gone));
    await this.run(area, args, joinParts(paths.filter(isThere)));
  }

  async treeOf(area: Area): Promise<string> {
    const index = this.#index(area);
    const last = written.get(index);
    if (last !== undefined && last.version === fingerprint(index)) return last.tree;
    const tree = (await this.run(area, ['write-tree', '--missing-ok'])).trim();
    written.set(index, { version: fingerprint(index), tree });
    return tree;
  }

  /** Looks at an area in a way that may note the files' times in its list, but takes nothing in. */
  async keepingTree<T>(area: Area, look: () => Promise<T>): Promise<T> {
    const index = this.#index(area);
    const last = written.get(index);
    const isCurrent = last !== undefined && last.version === fingerprint(index);
    const seen = await look();
    if (isCurrent) written.set(index, { ...last, version: fingerprint(index) });
    return seen;
  }

  /** A tree with some entries set to others; mode 0 takes one out. */
  async treeWith(
    tree: string,
    entries: readonly { path: string; mode: string; id: string }[],
  ): Promise<string> {
    const area = { folder: this.dir, prefix: 'scratch' };
    await this.run(area, ['read-tree', tree]);
    const lines = entries.map(({ path, mode, id }) => `${mode === '000000' ? '0' : mode} ${id}\t${path}`);
    await this.run(area, ['update-index', '-z', '--index-info'], joinParts(lines));
    return this.treeOf(area);
  }

  #env(area: Area): Record<string, string> {
    return { GIT_DIR: this.dir, GIT_WORK_TREE: area.folder, GIT_INDEX_FILE: this.#index(area) };
  }

  #index({ prefix }: Area): string {
    return path.join(this.dir, 'index', createHash('sha256').update(prefix).digest('hex').slice(0, 16));
  }
}
