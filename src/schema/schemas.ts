import * as v from 'valibot';
import type { Json } from '../task/json.ts';
import { shown } from './problem.ts';
import { timeOf } from './time.ts';

/** A schema of any value. */
export type Schema = v.GenericSchema;

/** What a message or a published schema says beside what is checked. */
export interface Hints {
  /** What to do about a mistake in this value. */
  fix?: string;
  /** The line to add where this value is missing. */
  line?: string;
  /** Published schemas hold it once under this name, and refer to it. */
  id?: string;
}

/** Stands in a pipe, as `v.description` does. */
export function hints<T>(given: Hints): v.BaseMetadata<T> & Hints {
  return { kind: 'metadata', type: 'hints', reference: hints, ...given };
}

/** The schema with a sentence about it, for published schemas and for whoever makes a mistake. */
export function described<S extends Schema>(schema: S, about: string): S {
  return v.pipe(schema, v.description(about)) as unknown as S; // a pipe is its first schema, and more
}

/** Stands in many places of an answer, and is published once, under this name. */
export function named<S extends Schema>(id: string, schema: S, about?: string): S {
  const one = about === undefined ? schema : described(schema, about);
  return v.pipe(one, hints({ id })) as unknown as S; // a pipe is its first schema, and more
}

/** The schema, and that nothing speaks against the value; else `fix` says what to do. */
export function unless<S extends Schema>(
  schema: S,
  against: (value: v.InferOutput<S>) => string | undefined,
  fix?: string,
): S {
  const check = v.rawCheck<v.InferOutput<S>>(({ dataset, addIssue }) => {
    const message = dataset.typed ? against(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  });
  return v.pipe(schema, check, hints({ ...(fix !== undefined && { fix }) })) as unknown as S;
}

/** A key that may be left out. */
export function maybe<S extends Schema>(schema: S, about?: string): v.ExactOptionalSchema<S, undefined> {
  return v.exactOptional(about === undefined ? schema : described(schema, about));
}

/** A key that may be left out, and what holds then. */
export function otherwise<S extends Schema, const D extends v.InferInput<S>>(
  schema: S,
  fallback: D,
  about?: string,
): v.OptionalSchema<S, D> {
  return v.optional(about === undefined ? schema : described(schema, about), fallback);
}

/** A key that must be there; `line` is what to add where it is not. */
export function needed<S extends Schema>(schema: S, line: string, about?: string): S {
  const hinted = v.pipe(schema, hints({ line })) as unknown as S;
  return about === undefined ? hinted : described(hinted, about);
}

/** A key of a table that somebody chooses. */
export function keyLike(isGood: (key: string) => boolean, fix: string) {
  return v.pipe(v.string(), v.check(isGood), hints({ fix }));
}

/** What docket reads and does nothing with. */
export const anything = v.custom<Json>(() => true);

/** A text that is not empty. */
export const text = v.pipe(v.string(), v.nonEmpty());

export const nonBlank = v.pipe(v.string(), v.regex(/\S/, 'is blank'), hints({ fix: 'Give it a text.' }));

/** A text of this form; `fix` says which that is. */
export const matching = (form: RegExp, fix: string) => v.pipe(v.string(), v.regex(form), hints({ fix }));

/** The name of a variable of the environment. */
export const variable = matching(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Name a variable, without "$".');

/** One of these words, or an older word for one of them. */
export function words<const W extends string>(now: readonly W[], older: Readonly<Record<string, W>> = {}) {
  return v.pipe(
    v.picklist([...now, ...Object.keys(older)], ({ input }) =>
      input === undefined || input === null ? '' : `${shown(input)} is not one of ${now.join(', ')}`,
    ),
    v.metadata({ enum: now }),
    hints({ fix: `Write one of ${now.join(', ')}.` }),
    v.transform((word) => older[word] ?? (word as W)),
  );
}

/** No two items may have the same under this key. */
export function listBy<
  const K extends string,
  S extends v.GenericSchema<unknown, Readonly<Record<K, string>>>,
>(key: K, item: S) {
  const once = v.rawCheck<v.InferOutput<S>[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const items = dataset.value;
    for (const [at, { [key]: name }] of items.entries())
      if (items.findIndex((other) => other[key] === name) < at)
        addIssue({ message: 'is there twice', path: [inside(items, at), inside(items[at], key)] });
  });
  return v.pipe(v.array(item), once);
}

export const list = <S extends Schema>(item: S, most: number) => v.pipe(v.array(item), v.maxLength(most));

export const whole = (least: number, most?: number) =>
  atMost(v.pipe(v.number(), v.integer(), v.check<number>(Number.isSafeInteger), v.minValue(least)), most);

export const amount = (most?: number) => atMost(v.pipe(v.number(), v.minValue(0)), most);

function atMost<S extends v.GenericSchema<number>>(schema: S, most: number | undefined): S {
  return most === undefined ? schema : (v.pipe(schema, v.maxValue(most)) as unknown as S);
}

export const positive = v.pipe(v.number(), v.gtValue(0));

export const time = v.pipe(
  v.string(),
  v.isoTimestamp('is no time'),
  v.check((value) => timeOf(value) === value, 'is no time'),
  hints({ fix: 'Write it like 2026-02-01T10:00:00Z.' }),
);

/** These keys and no others. `key:` without a value is as good as no key where the key may be left out. */
export const keys = <const E extends v.ObjectEntries>(entries: E) => written(v.strictObject(entries));

/** The same for what only programs write: null is a value like any other. */
export const exactKeys = <const E extends v.ObjectEntries>(entries: E) =>
  written(v.strictObject(entries), true);

/** As `keys`; keys of other tools are left out. */
export const knownKeys = <const E extends v.ObjectEntries>(entries: E) => written(v.object(entries));

/** As `keys`, with keys of other tools beside them. */
export const openKeys = <const E extends v.ObjectEntries>(entries: E) => written(v.looseObject(entries));

/** Keys that somebody chose, each with a value of the same kind. */
export function table<K extends v.GenericSchema<string>, S extends Schema>(key: K, value: S) {
  return written(v.record(key, value));
}

type ObjectSchema = Schema & { entries?: v.ObjectEntries };

/** valibot takes a list for an object, and skips chosen keys that every object of JavaScript has. */
const skipped = ['__proto__', 'prototype', 'constructor'];

function written<S extends ObjectSchema>(schema: S, isExact = false): S {
  const run = schema['~run'];
  return {
    ...schema,
    '~run'(this: S, dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const { value } = dataset;
      const { entries } = this;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        v._addIssue(this, 'type', dataset, config);
        return dataset;
      }
      if (isExact) return run.call(this, dataset, config);
      if (entries) return run.call(this, { ...dataset, value: withoutEmpty(value, entries) }, config);
      const result = run.call(this, dataset, config);
      for (const key of skipped.filter((name) => Object.hasOwn(value, name))) {
        const path = [{ type: 'object', origin: 'key', input: value, key, value: undefined }];
        v._addIssue(this, 'key', result, config, { input: key, expected: 'never', path } as object);
      }
      return result;
    },
  };
}

function withoutEmpty(value: object, entries: v.ObjectEntries): object {
  const isEmpty = ([key, part]: [string, unknown]) =>
    part === null && Object.hasOwn(entries, key) && isOptional(entries[key]);
  const all = Object.entries(value);
  return all.some(isEmpty) ? Object.fromEntries(all.filter((entry) => !isEmpty(entry))) : value;
}

/** Whether a key with this value may be left out. */
export function isOptional(schema: { type: string } | undefined): boolean {
  return schema !== undefined && ['exact_optional', 'optional'].includes(schema.type);
}

/** A step of an issue's path. */
function inside(input: unknown, key: string | number): v.IssuePathItem {
  return { type: 'unknown', origin: 'value', input, key, value: undefined };
}

/** Why a path from outside is not one inside the root, as far as its words tell; links are looked at when it is used. */
export function outsideBecause(path: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- a NUL ends a path early, the others have no business in one
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'holds a control character';
  if (path.length > 1024) return 'is longer than 1024 characters';
  if (/^(?:[/\\]|[A-Za-z]:)/.test(path)) return 'is absolute';
  if (path.split(/[/\\]/).includes('..')) return 'climbs with ".."';
  return undefined;
}
