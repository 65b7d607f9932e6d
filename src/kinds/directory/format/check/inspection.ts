import type * as v from 'valibot';
import { check } from '../../../../schema/check.ts';
import { lineAndColumn, parseJson } from '../../../../schema/json.ts';
import { jsonPath, quoted } from '../../../../schema/problem.ts';
import { type Schema, outsideBecause } from '../../../../schema/schemas.ts';

/** A task directory as it was found. Paths are from it, with forward slashes. */
export interface Directory {
  /** The folder's name, which is the task's id. */
  id: string;
  kinds: ReadonlyMap<string, 'file' | 'folder' | 'link' | 'other'>;
  /** The text of a file, or why it cannot be had. */
  read(path: string): { text: string } | { problem: string; fix: string };
  /** Is there such a file in the project that the task belongs to? */
  isInProject(path: string): boolean;
}

export interface Remark {
  severity: 'note' | 'warning' | 'error';
  path: string;
  line?: number;
  message: string;
  fix: string;
}

/** A broken file of a million lines is told in a few; of each severity, so that notes never hide an error. */
const mostOfAKind = 20;

/** Looks at a directory and collects what is wrong in it. */
export class Inspection {
  readonly dir: Directory;
  readonly remarks: Remark[] = [];
  readonly #counts = new Map<string, number>();

  constructor(dir: Directory) {
    this.dir = dir;
  }

  tell(remark: Remark): void {
    const kind = `${remark.severity} ${remark.path}`;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count < mostOfAKind) this.remarks.push(remark);
    if (count === mostOfAKind)
      this.remarks.push({ ...remark, message: 'more is wrong with it', fix: 'mend the first ones first' });
  }

  error(path: string, message: string, fix: string, line?: number): void {
    this.tell({ severity: 'error', path, message, fix, ...(line !== undefined && { line }) });
  }

  warn(path: string, message: string, fix: string, line?: number): void {
    this.tell({ severity: 'warning', path, message, fix, ...(line !== undefined && { line }) });
  }

  has(path: string): boolean {
    return this.dir.kinds.has(path);
  }

  /** Undefined: it is not there, or cannot be read; the latter is told. */
  text(path: string): string | undefined {
    if (!this.has(path)) return undefined;
    const found = this.dir.read(path);
    if ('text' in found) return found.text;
    this.error(path, found.problem, found.fix);
    return undefined;
  }

  /** The same of JSON that fits a schema. */
  json<S extends Schema>(path: string, schema: S): v.InferOutput<S> | undefined {
    const text = this.text(path);
    if (text === undefined) return undefined;
    const parsed = parseJson(text);
    if ('value' in parsed) return this.fits(path, schema, parsed.value);
    const { line } = lineAndColumn(text, parsed.at);
    this.error(path, `it is not JSON: ${parsed.message}`, 'mend it, or write it again', line);
    return undefined;
  }

  fits<S extends Schema>(
    path: string,
    schema: S,
    value: unknown,
    at: readonly PropertyKey[] = [],
  ): v.InferOutput<S> | undefined {
    const result = check(schema, value);
    if ('value' in result) return result.value;
    for (const { path: keys, problem, fix } of result.mistakes)
      this.error(path, `${jsonPath([...at, ...keys])}: ${problem}`, fix);
    return undefined;
  }

  /** A path that a file names, from `base`, must lead to something in this directory. */
  ref(path: string, name: string, base = ''): void {
    const outside = outsideBecause(name);
    const plain = name.replace(/^(\.\/)+/, '').replace(/\/$/, '');
    if (outside !== undefined)
      this.error(path, `${quoted(name)} ${outside}`, 'name a path inside the task directory');
    else if (!this.has(base + plain))
      this.error(path, `it points to ${quoted(name)}, which is not there`, 'put it back, or take this out');
  }
}
