import { same } from '../../../schema/same.ts';
import type { Fields, Json } from '../../../task/json.ts';
import { itemKeys } from './task-file.ts';

/**
 * The keys of a file as they have to be so that it says `want` instead of `was`: what says so already keeps its
 * spelling and its place, and keys that are not the format's stay.
 */
export function merged(raw: Fields, was: Fields, want: Readonly<Record<string, Json | undefined>>): Fields {
  const result: Record<string, Json> = { ...raw };
  for (const [key, value] of Object.entries(want)) {
    const [before, said] = [own(was, key), own(raw, key)];
    if (value === undefined) delete result[key];
    else if (!same(before, value)) result[key] = mergedValue(said, before, value, itemKeys[key]);
  }
  return result;
}

function mergedValue(raw: Json | undefined, was: Json | undefined, want: Json, key?: string): Json {
  if (key !== undefined && Array.isArray(raw) && Array.isArray(was) && Array.isArray(want)) {
    return mergedItems(raw, was as Fields[], want as Fields[], key);
  }
  return isObject(raw) && isObject(was) && isObject(want) ? merged(raw, was, want) : want;
}

/** People's order stays; what is new comes last. A valid file has an item in `was` for each in `raw`. */
function mergedItems(
  raw: readonly Json[],
  was: readonly Fields[],
  want: readonly Fields[],
  key: string,
): Json[] {
  const wanted = new Map(want.map((item) => [item[key], item]));
  const kept = was.flatMap((before, at) => {
    const item = wanted.get(before[key]);
    wanted.delete(before[key]);
    const said = raw[at];
    return item ? [isObject(said) ? merged(said, before, item) : item] : [];
  });
  return [...kept, ...wanted.values()];
}

function own(fields: Fields, key: string): Json | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
