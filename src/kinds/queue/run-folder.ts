import path from 'node:path';
import { AppendFile } from '../../io/append-file.ts';
import { listDir, makeDir } from '../../io/files.ts';
import { renamePath } from '../../io/folders.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { writePlain } from '../../io/plain-file.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Json } from '../../task/json.ts';

const longestFile = 16 * 1024 * 1024;

/** `.takt/runs/<slug>`: what a run leaves for people to read. Agents can write there too, so nothing is decided by it. */
export class RunFolder {
  readonly slug: string;
  readonly #takt: string;
  #log: AppendFile | undefined;

  constructor(root: string, slug: string) {
    this.slug = slug;
    this.#takt = path.join(root, '.takt');
  }

  get dir(): string {
    return path.join(this.#takt, 'runs', this.slug);
  }

  get reportDir(): string {
    return path.join(this.dir, 'reports');
  }

  /** Its text, if a step has handed it in. */
  report(name: string): string | undefined {
    return isFileName(name) ? readTextFile(path.join(this.reportDir, name), longestFile) : undefined;
  }

  /** An earlier one of that name is kept beside it. */
  handIn(name: string, text: string, now: number): void {
    if (!isFileName(name)) throw new Error(`"${name}" is no name for a report`);
    const file = path.join(this.#folder('reports'), name);
    const before = readTextFile(file, longestFile);
    if (before === text) return;
    if (before !== undefined) renamePath(file, `${file}.${stamp(now)}`);
    writePlain(file, text);
  }

  /** What an agent answered, whole. Returns where it is. */
  keepAnswer(step: string, n: number, text: string): string {
    const folder = this.#folder('context', 'previous_responses');
    const file = path.join(folder, `${step}.${n}.md`);
    writePlain(file, text);
    writePlain(path.join(folder, 'latest.md'), text);
    return file;
  }

  answer(step: string, n: number): { text: string; file: string } | undefined {
    const file = path.join(this.dir, 'context', 'previous_responses', `${step}.${n}.md`);
    const text = readTextFile(file, longestFile);
    return text === undefined ? undefined : { text, file };
  }

  /** The task as it was given to this run. */
  stage(order: string): void {
    writePlain(path.join(this.#folder('context', 'task'), 'order.md'), order);
  }

  /** One line of the session's log. */
  log(record: Readonly<Record<string, Json>>, now: number): void {
    this.#log ??= this.#openLog(now);
    this.#log.append(
      Buffer.from(`${JSON.stringify({ ...record, timestamp: new Date(now).toISOString() })}\n`),
    );
  }

  close(): void {
    this.#log?.close();
    this.#log = undefined;
  }

  #openLog(now: number): AppendFile {
    const folder = this.#folder('logs');
    const name = `${stamp(now)}-${String(listDir(folder).length + 1).padStart(3, '0')}-${process.pid}.jsonl`;
    const file = path.join(folder, name);
    writePlain(file, '');
    const opened = AppendFile.open(file, 'write');
    if (!opened) throw new Error(`${file} is gone`);
    return opened;
  }

  #folder(...names: readonly string[]): string {
    makeDir(this.#takt);
    return makeOwnFolder(this.#takt, 'runs', this.slug, ...names);
  }
}

/** A plain name: no folder, nothing hidden, nothing that a shell or a person could take for something else. */
function isFileName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,119}$/u.test(name) && !name.includes('..');
}

function stamp(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}
