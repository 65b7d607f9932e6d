import path from 'node:path';
import { DocketError } from '../errors.ts';
import { fingerprint, makeDir, readBytes, replaceFile } from '../io/files.ts';
import { removeTree } from '../io/folders.ts';
import { tryGit } from '../io/git.ts';
import { asBytes, asText, joinParts, parts } from './bytes.ts';
import { type Changed, changedSince } from './changes.ts';
import { lookBack, type Snapshot, type WorkTree } from './snapshot.ts';
import type { TreeStore } from './tree-store.ts';

const isRule = /(^|\/)\.gitignore$|(^|\/)\.git\/(info\/exclude|config(\.worktree)?)$/;

/**
 * The changes as they are to be judged: what is ignored, the rules of the snapshot say, for those of today an agent may
 * have written. What only these hide is brought to light where `isOutside` says that it matters; what only those hid was
 * never anybody's change.
 */
export async function byOldRules(
  tree: WorkTree,
  before: Snapshot,
  changes: Changed[],
  isOutside: (path: string) => boolean,
): Promise<{ changes: Changed[]; wasIgnored: (path: string) => boolean }> {
  if (!changes.some((change) => isRule.test(change.path)) && !ownRulesChanged(tree))
    return { changes, wasIgnored: () => false };
  const rules = await OldRules.of(tree, before);
  await rules.reveal(isOutside);
  const { changes: all } = await changedSince(tree, before);
  const ignored = await rules.hidden(all.map((change) => change.path));
  return { changes: all, wasIgnored: (name) => ignored.has(name) && !tree.watched?.matches(name) };
}

/** The rules of a snapshot, in a folder that holds nothing else, so that git can be asked about them. */
class OldRules {
  readonly #store: TreeStore;
  readonly #root: string;
  readonly #folder: string;
  readonly #exclude: string;
  readonly #known: ReadonlySet<string>;

  private constructor(
    store: TreeStore,
    at: { root: string; folder: string },
    exclude: string,
    known: string[],
  ) {
    this.#store = store;
    this.#root = at.root;
    this.#folder = at.folder;
    this.#exclude = exclude;
    this.#known = new Set(known.map(asText));
  }

  static async of(tree: WorkTree, before: Snapshot): Promise<OldRules> {
    const { store, root } = await lookBack(tree, before);
    const folder = path.join(tree.home, 'rules');
    removeTree(folder);
    makeDir(folder);
    const area = { folder, prefix: 'rules' };
    await store.run(area, ['read-tree', before.tree]);
    const listed = parts(await store.run(area, ['ls-files', '-z', '--stage'])).map((line) => {
      return { name: line.slice(line.indexOf('\t') + 1), isFile: line.startsWith('100') };
    });
    const files = listed.filter(({ name, isFile }) => isFile && /(^|\/)\.gitignore$/.test(name));
    await store.run(
      area,
      ['checkout-index', '-f', '-z', '--stdin'],
      joinParts(files.map(({ name }) => name)),
    );
    replaceFile(`${folder}.own`, Buffer.from(await ownRules(tree), 'latin1'));
    const blob = `${before.repositories[0]?.guarded.tree}:info/exclude`;
    const exclude = await store.tryRun(area, ['cat-file', 'blob', blob]);
    const known = listed.map(({ name }) => name);
    return new OldRules(store, { root, folder }, exclude.code === 0 ? exclude.stdout : '', known);
  }

  /** Which of these they hide. What a snapshot holds it has seen. */
  async hidden(names: readonly string[]): Promise<Set<string>> {
    const asked = names.filter((name) => !this.#known.has(name));
    if (asked.length === 0) return new Set();
    this.#store.excluded = this.#exclude;
    const own = `core.excludesFile=${this.#folder}.own`;
    const { code, stdout, stderr } = await this.#store.tryRun(
      { folder: this.#folder, prefix: 'rules' },
      ['-c', own, 'check-ignore', '--no-index', '-z', '--stdin'],
      joinParts(asked.map(asBytes)),
    );
    if (code === 0 || code === 1) return new Set(parts(stdout).map(asText));
    throw new DocketError('IO', `git check-ignore failed: ${stderr.trim()}`, 'see whether git works there');
  }

  /** From now on it counts, whatever rules there are. */
  async reveal(isWanted: (path: string) => boolean): Promise<void> {
    const area = { folder: this.#root, prefix: '' };
    const all = parts(await this.#store.run(area, ['ls-files', '-z', '--others']));
    const wanted = all.filter((name) => !name.endsWith('/') && isWanted(asText(name)));
    const hidden = await this.hidden(wanted.map(asText));
    await this.#store.add(
      area,
      wanted.filter((name) => !hidden.has(asText(name))),
    );
  }
}

/** What git ignores for this user everywhere, as bytes, and which version of the files that say so. */
interface OwnRules {
  text: string;
  file: string;
  version: string;
}

/** By home of a work tree. No snapshot holds them: they lie in the user's home. */
const noted = new Map<string, OwnRules>();

/** To be called before an agent starts. */
export async function noteOwnRules({ root, home }: Pick<WorkTree, 'root' | 'home'>): Promise<void> {
  if (!noted.has(home)) noted.set(home, await read(root));
}

/** As they were noted. */
async function ownRules({ root, home }: WorkTree): Promise<string> {
  return (noted.get(home) ?? (await read(root))).text;
}

function ownRulesChanged({ home }: WorkTree): boolean {
  const was = noted.get(home);
  return was !== undefined && was.version !== versionOf(was.file);
}

async function read(root: string): Promise<OwnRules> {
  const { stdout } = await tryGit(root, ['config', '--global', '--type=path', '--get', 'core.excludesFile']);
  const file = path.resolve(root, stdout.trim() || path.join(configHome(), 'git', 'ignore'));
  const version = versionOf(file);
  return { text: readBytes(file)?.toString('latin1') ?? '', file, version };
}

function versionOf(file: string): string {
  const settings = [
    path.join(process.env['HOME'] ?? '', '.gitconfig'),
    path.join(configHome(), 'git', 'config'),
  ];
  return [file, ...settings].map((name) => fingerprint(name) ?? '').join(' ');
}

function configHome(): string {
  const { XDG_CONFIG_HOME: xdg, HOME: home = '' } = process.env;
  return xdg || path.join(home, '.config');
}

/** Which of these git does not look at. Where there is no git: none. */
export async function ignoredIn(cwd: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const input = paths.map((name) => `${name}\0`).join('');
  const { stdout } = await tryGit(cwd, ['check-ignore', '-z', '--stdin'], { input });
  return new Set(stdout.split('\0').filter((name) => name !== ''));
}
