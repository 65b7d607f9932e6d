import { createHash } from 'node:crypto';
import path from 'node:path';
import type * as v from 'valibot';
import { listDir, readBytes, removeFile, replaceFile } from '../io/files.ts';
import { renamePath } from '../io/folders.ts';
import { lockWithin, openMutex, type LockKind } from '../io/lock.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { valueOf } from './channel.ts';

export interface Entry<T> {
  readonly name: string;
  readonly number: number;
  readonly key: string;
  value: T;
}

export interface SpoolOptions<T> {
  lock: LockKind;
  /** Agents can write to the folder too: what we cannot have put there is no entry. */
  schema: v.GenericSchema<unknown, T>;
  /** So many finished ones are remembered, so that a key is known when it comes again. */
  keep?: number;
}

const parts = ['waiting', 'done', 'dead'] as const;
type Part = (typeof parts)[number];

const lockWaitMs = 10_000;
const namePattern = /^(\d{12})-([0-9a-f]{40})\.json$/;

/**
 * Things to be done once each, in order, that outlive the process: a numbered file in `waiting/`, moved to `done/` or
 * `dead/` when its time is over. What has the same key goes in once. Any process may put; one at a time takes out.
 */
export class Spool<T> {
  readonly #dir: string;
  readonly #lock: LockKind;
  readonly #schema: v.GenericSchema<unknown, T>;
  readonly #keep: number;
  readonly #known = new Map<string, Entry<T>>();
  #finished: number;

  /** `base` is a folder that exists; the spool is made below it. */
  constructor(base: string, name: string, { lock, schema, keep = 2000 }: SpoolOptions<T>) {
    for (const part of parts) makeOwnFolder(base, name, part);
    this.#dir = path.join(base, name);
    this.#lock = lock;
    this.#schema = schema;
    this.#keep = keep;
    this.#finished = this.#names('done').length;
  }

  /** Changes at every `put`: what others watch to know that there is news. */
  get bell(): string {
    return path.join(this.#dir, 'last');
  }

  file(name: string): string {
    return path.join(this.#dir, name);
  }

  /** Durable when it resolves. Which of them are new; the others were here before. */
  put(items: readonly { key: string; value: T }[]): Promise<boolean[]> {
    return this.#locked(() => this.#putAll(items));
  }

  count(part: Part): number {
    return this.#names(part).length;
  }

  /** In order. A file that cannot be read is put aside and told about: it must not stop the others. */
  waiting(onUnreadable: (file: string) => void = () => undefined): Entry<T>[] {
    const names = this.#names('waiting');
    const there = new Set(names);
    for (const name of this.#known.keys()) if (!there.has(name)) this.#known.delete(name);
    for (const name of names) {
      if (this.#known.has(name)) continue;
      const entry = this.#read(name);
      if (entry) this.#known.set(name, entry);
      else if (this.#move(name, 'dead')) onUnreadable(path.join(this.#dir, 'dead', name));
    }
    return names.flatMap((name) => this.#known.get(name) ?? []);
  }

  /** For who only looks: nothing is put aside, and what cannot be read is left out. */
  entries(part: Part): Entry<T>[] {
    return this.#names(part).flatMap((name) => this.#read(name, part) ?? []);
  }

  update(entry: Entry<T>, value: T): void {
    entry.value = value;
    replaceFile(path.join(this.#dir, 'waiting', entry.name), encode(entry), { sync: true });
  }

  finish(entry: Entry<T>, to: 'done' | 'dead'): void {
    this.#known.delete(entry.name);
    if (this.#move(entry.name, to) && to === 'done') this.#finished += 1;
    if (this.#finished > this.#keep * 1.25) this.#forget();
  }

  /** Everything that was given up waits again. */
  revive(change: (value: T) => T): Promise<number> {
    return this.#locked(() => {
      const entries = this.entries('dead');
      for (const entry of entries) {
        entry.value = change(entry.value);
        replaceFile(path.join(this.#dir, 'dead', entry.name), encode(entry), { sync: true });
        this.#move(entry.name, 'waiting');
      }
      if (entries.length > 0) replaceFile(this.bell, `${this.#last()}\n`);
      return entries.length;
    });
  }

  /** Before anybody else sees it: the place of `first` in the order, under a key of its own. */
  insertAt({ number }: Entry<T>, key: string, value: T): void {
    this.update({ name: nameOf(number, key), number, key, value }, value);
  }

  async #locked<R>(use: () => R): Promise<R> {
    // One of its own for every call: the kernel takes two calls with the same open file for one.
    const mutex = openMutex(this.file('lock'), this.#lock);
    try {
      await lockWithin(mutex, lockWaitMs);
      return use();
    } finally {
      mutex.close();
    }
  }

  #putAll(items: readonly { key: string; value: T }[]): boolean[] {
    const names = parts.flatMap((part) => this.#names(part));
    const hashes = new Set(names.map((name) => namePattern.exec(name)?.[2]));
    let last = names.reduce((most, name) => Math.max(most, numberOf(name)), this.#last());
    const added = items.map(({ key, value }) => {
      if (hashes.has(shortKey(key))) return false;
      hashes.add(shortKey(key));
      last += 1;
      const name = nameOf(last, key);
      const content = encode({ name, number: last, key, value });
      return replaceFile(path.join(this.#dir, 'waiting', name), content, { sync: true });
    });
    if (added.includes(true)) replaceFile(this.bell, `${last}\n`);
    return added;
  }

  #last(): number {
    const said = Number(readBytes(this.bell)?.toString('utf8'));
    return Number.isSafeInteger(said) && said > 0 ? said : 0;
  }

  #names(part: Part): string[] {
    const found = listDir(path.join(this.#dir, part)).filter((name) => namePattern.test(name));
    return found.toSorted();
  }

  #read(name: string, part: Part = 'waiting'): Entry<T> | undefined {
    const bytes = readBytes(path.join(this.#dir, part, name));
    if (bytes === undefined) return undefined;
    try {
      const { key, value: found } = JSON.parse(bytes.toString('utf8')) as { key: unknown; value: unknown };
      const value = valueOf(this.#schema, found);
      if (value === undefined || typeof key !== 'string' || nameOf(numberOf(name), key) !== name)
        return undefined;
      return { name, number: numberOf(name), key, value };
    } catch {
      return undefined;
    }
  }

  /** False: somebody took the file away. */
  #move(name: string, to: Part): boolean {
    const from = to === 'waiting' ? 'dead' : 'waiting';
    if (readBytes(path.join(this.#dir, from, name)) === undefined) return false;
    renamePath(path.join(this.#dir, from, name), path.join(this.#dir, to, name));
    return true;
  }

  #forget(): void {
    const names = this.#names('done');
    for (const name of names.slice(0, Math.max(0, names.length - this.#keep)))
      removeFile(path.join(this.#dir, 'done', name));
    this.#finished = Math.min(names.length, this.#keep);
  }
}

function encode<T>({ key, value }: Entry<T>): string {
  return `${JSON.stringify({ key, value }, undefined, 2)}\n`;
}

function nameOf(number: number, key: string): string {
  return `${String(number).padStart(12, '0')}-${shortKey(key)}.json`;
}

function numberOf(name: string): number {
  return Number(namePattern.exec(name)?.[1] ?? 0);
}

/** Keys may be anything; this is the same for the same key and fits into a file name, a header or a vendor's field. */
export function shortKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 40);
}
