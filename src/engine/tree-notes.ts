import path from 'node:path';
import { DocketError } from '../errors.ts';
import type { RealChanges } from '../gate/seen.ts';
import { removeFile } from '../io/files.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { ownPlacesIn } from '../io/own-places.ts';
import { writePlain } from '../io/plain-file.ts';
import { readTextFile } from '../io/text-file.ts';
import { changeSince, type TreeState } from '../workspace/tree.ts';

interface Note {
  /** Before the task's first step. */
  first: TreeState;
  /** When docket last took it up. */
  taken: TreeState;
  /** What was changed while docket was at work on it, before that. */
  touched: string[];
  /** Nobody saw how it was left: docket died. */
  open: boolean;
}

const longestNote = 128 * 1024 ** 2;

/**
 * What a task changed in its work tree, over all the times that docket worked on it. What people do in between is theirs.
 */
export class TreeNote {
  readonly #cwd: string;
  readonly #file: () => string;
  readonly #told: (() => RealChanges) | undefined;
  #note: Note | undefined;

  /** `told`: what the task changed, where its layout knows that better. */
  constructor(cwd: string, folder: () => string, told?: () => RealChanges) {
    this.#cwd = cwd;
    this.#told = told;
    this.#file = () => path.join(folder(), 'tree.json');
  }

  begin(now: TreeState | undefined): void {
    if (!now) return;
    const noted = this.#read();
    this.#note = noted
      ? { ...noted, ...(!noted.open && { taken: now }), open: true }
      : { first: now, taken: now, touched: [], open: true };
    if (!noted?.open) this.#write(this.#note);
  }

  /** The commit that the task began on; '' where there is none. */
  get head(): string {
    return this.#note?.first.head ?? '';
  }

  /** Undefined: nobody can tell, because git cannot. */
  async changes(now: TreeState | undefined): Promise<RealChanges | undefined> {
    if (this.#told) return this.#told();
    const note = this.#note;
    if (!note || !now) return undefined;
    const mine = await this.#between(note.taken, now);
    const all = note.first === note.taken ? mine : await this.#between(note.first, now);
    if (!mine || !all) return undefined;
    const touched = [...new Set([...note.touched, ...mine])].toSorted();
    const isTouched = (name: string) => touched.includes(name);
    return { touched, still: all.filter(isTouched), others: all.filter((name) => !isTouched(name)) };
  }

  /** It goes on later. */
  async leave(now: TreeState | undefined): Promise<void> {
    const note = this.#note;
    const changes = await this.changes(now);
    if (note && changes) this.#write({ ...note, touched: changes.touched, open: false });
  }

  /** It is over: whoever takes it up again begins anew. */
  forget(): void {
    if (this.#note) removeFile(this.#file());
  }

  async #between(was: TreeState, now: TreeState): Promise<string[] | undefined> {
    try {
      const { paths } = await changeSince(this.#cwd, was, now);
      const isOwn = ownPlacesIn(this.#cwd);
      return paths.filter((name) => !isOwn(name));
    } catch (error) {
      // A commit of then that is not here any more: the history was rewritten, or the workspace made anew.
      if (error instanceof DocketError && error.code === 'IO') return undefined;
      throw error;
    }
  }

  #write(note: Note): void {
    writePlain(this.#file(), JSON.stringify({ ...note, first: plain(note.first), taken: plain(note.taken) }));
  }

  #read(): Note | undefined {
    return readNote(this.#file(), (value) => {
      const { first, taken, touched, open } = value as Record<keyof Note, unknown>;
      if (!Array.isArray(touched) || typeof open !== 'boolean') throw new TypeError('no note of a tree');
      return { first: stateFrom(first), taken: stateFrom(taken), touched: touched.map(String), open };
    });
  }
}

/** A note cut off by a power loss counts as missing: the tree as it is now has to do. */
function readNote<T>(file: string, parse: (value: unknown) => T): T | undefined {
  const text = readTextFile(file, longestNote);
  if (text === undefined) return undefined;
  try {
    return parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function plain(state: TreeState) {
  return { ...state, dirty: [...state.dirty] };
}

function stateFrom(value: unknown): TreeState {
  const { branch, head, dirty } = value as Record<string, unknown>;
  if (typeof branch !== 'string' || typeof head !== 'string' || !Array.isArray(dirty))
    throw new TypeError('no state of a tree');
  return { branch, head, dirty: new Map(dirty as [string, string][]) };
}

/** Before an agent came, or after it left. */
type When = 'before' | 'after';

/**
 * The work tree as it was before an agent came. It is noted, so that a docket which takes over compares with that, and
 * not with what the agent has made of it meanwhile.
 */
export function noteTree(
  dir: string,
  below: readonly string[],
  state: TreeState,
  when: When = 'before',
): void {
  const folder = makeOwnFolder(dir, 'attempts', ...below);
  writePlain(path.join(folder, `${when}.json`), JSON.stringify(plain(state)));
}

export function notedTree(
  dir: string,
  below: readonly string[],
  when: When = 'before',
): TreeState | undefined {
  return readNote(path.join(dir, 'attempts', ...below, `${when}.json`), stateFrom);
}
