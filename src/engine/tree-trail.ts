import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import type { Content } from '../io/content.ts';
import { listDir, removeFile } from '../io/files.ts';
import { exists } from '../io/links.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { writePlain } from '../io/plain-file.ts';
import { readTextFile } from '../io/text-file.ts';
import type { Masker } from '../render/masker.ts';
import { TreePrints } from '../workspace/tree-print.ts';
import { treeState, type TreeState } from '../workspace/tree.ts';

/** What the work tree held at one moment, as far as it is not committed. */
export interface KeptTree {
  head: string;
  /** Path → the name of its content; '': it was gone. */
  files: ReadonlyMap<string, string>;
}

/** Longer contents are named, not kept. */
const longestText = 256 * 1024;
const longestRecord = 4 * 1024 * 1024;
const mostFiles = 500;
/** A loop is shown by its last two changes. */
const mostRecords = 6;

/**
 * The contents of a work tree at the ends of the steps that may turn in circles: what a loop is told by, and enough of
 * the last ones to show it. Secrets are masked in what is kept.
 */
export class TreeTrail {
  readonly #cwd: string;
  readonly #place: { base: string; below: readonly string[] };
  readonly #masker: Pick<Masker, 'text'>;
  readonly #prints: TreePrints;

  constructor(cwd: string, place: { base: string; below: readonly string[] }, masker: Pick<Masker, 'text'>) {
    this.#cwd = cwd;
    this.#place = place;
    this.#masker = masker;
    this.#prints = new TreePrints(cwd);
  }

  /** Looks at the tree now. Undefined: there is none. */
  async look(step: string): Promise<string | undefined> {
    const state = await treeState(this.#cwd);
    return state && this.seen(state, step);
  }

  async seen(state: TreeState, step: string): Promise<string> {
    const folder = makeOwnFolder(this.#place.base, ...this.#place.below, trailFolder);
    const { print, files } = await this.#prints.of(state, (id, content) => this.#keep(folder, id, content));
    const n = (records(folder).at(-1)?.n ?? 0) + 1;
    const kept = { v: 1, head: state.head, files: [...files].slice(0, mostFiles) };
    writePlain(path.join(folder, `${n}.${step}.json`), JSON.stringify(kept));
    prune(folder);
    return print;
  }

  #keep(folder: string, id: string, { bytes }: Content): void {
    const file = path.join(folder, id);
    if (bytes.length > longestText || !isUtf8(bytes) || exists(file)) return;
    writePlain(file, this.#masker.text(bytes.toString('utf8')));
  }
}

/** No step has a name with a dot. */
export const trailFolder = '.trail';

/** What the tree held when that step ended, and what it had held before. */
export function keptTrees(folder: string, step: string): { before?: KeptTree; after: KeptTree } | undefined {
  const all = records(folder);
  const at = all.findLastIndex((record) => record.step === step);
  const after = at === -1 ? undefined : readRecord(folder, all[at]);
  const before = at < 1 ? undefined : readRecord(folder, all[at - 1]);
  return after && { after, ...(before && { before }) };
}

/** Undefined: it was too long, or no text, or is not kept any more. */
export function keptText(folder: string, id: string): string | undefined {
  return isName(id) ? readable(path.join(folder, id), longestText * 2) : undefined;
}

interface Noted {
  n: number;
  step: string;
  file: string;
}

function records(folder: string): Noted[] {
  return listDir(folder)
    .flatMap((file) => {
      const [, n, step] = /^(\d{1,9})\.([\w-]{1,160})\.json$/.exec(file) ?? [];
      return n === undefined || step === undefined ? [] : [{ n: Number(n), step, file }];
    })
    .toSorted((a, b) => a.n - b.n);
}

function readRecord(folder: string, record: Noted | undefined): KeptTree | undefined {
  const text = record && readable(path.join(folder, record.file), longestRecord);
  if (text === undefined) return undefined;
  try {
    const { head, files } = JSON.parse(text) as Record<string, unknown>;
    if (typeof head !== 'string' || !Array.isArray(files)) return undefined;
    return { head, files: new Map(files as [string, string][]) };
  } catch {
    return undefined; // cut off by a power loss: there is nothing to show
  }
}

/** Agents can write there too: what one has put in the place of a text is none. */
function readable(file: string, longest: number): string | undefined {
  try {
    return readTextFile(file, longest);
  } catch (error) {
    if (error instanceof DocketError && (error.code === 'BAD_FILE' || error.code === 'TOO_LARGE'))
      return undefined;
    throw error;
  }
}

/** Of what only older ends held, nothing stays. */
function prune(folder: string): void {
  const all = records(folder);
  if (all.length <= mostRecords) return;
  for (const { file } of all.slice(0, -mostRecords)) removeFile(path.join(folder, file));
  const used = new Set(
    all.slice(-mostRecords).flatMap((one) => [...(readRecord(folder, one)?.files.values() ?? [])]),
  );
  for (const name of listDir(folder))
    if (isName(name) && !used.has(name)) removeFile(path.join(folder, name));
}

function isName(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name);
}
