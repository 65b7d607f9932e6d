import path from 'node:path';
import { messageOf } from '../errors.ts';
import { removeFile, replaceFile } from '../io/files.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { readTextFile } from '../io/text-file.ts';
import type { Derived, Layout } from '../layout/layout.ts';
import type { Task } from '../task/schema.ts';

const longestFile = 16 * 1024 * 1024;

/** Keeps the files in step that say what a task says in other words. What cannot be written now is tried next time. */
export class DerivedFiles {
  readonly #root: string;
  readonly #layout: Layout;
  readonly #warn: (warning: string) => void;
  /** By path, what the file was last written for. */
  readonly #keys = new Map<string, string>();

  constructor(root: string, layout: Layout, warn: (warning: string) => void) {
    this.#root = root;
    this.#layout = layout;
    this.#warn = warn;
  }

  write(task: Task): void {
    for (const file of this.#layout.derived?.(task) ?? []) {
      if (this.#keys.get(file.path) === file.key) continue;
      try {
        this.#write(file);
        this.#keys.set(file.path, file.key);
      } catch (error) {
        this.#warn(`${messageOf(error)} (${file.path} is not up to date)`);
      }
    }
  }

  /** Agents can write here, too: a link in the place of a folder or a file leads nothing of ours elsewhere. */
  #write(derived: Derived): void {
    const parts = derived.path.split('/');
    const base = parts.pop() as string;
    const file = path.join(makeOwnFolder(this.#root, ...parts), base);
    const current = readTextFile(file, longestFile);
    const next = derived.text(current);
    if (next === current) return;
    if (next === undefined) removeFile(file);
    else replaceFile(file, next, { own: true });
  }
}
