import * as v from 'valibot';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Comes from JSON or goes into it: nothing else is checked. */
export const anyJson = v.custom<Json>(() => true);

/** Not a record: valibot leaves keys such as `constructor` out of one. */
export const jsonObject = v.custom<Record<string, Json>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

export const nonEmpty = v.pipe(v.string(), v.minLength(1));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const positive = v.pipe(v.number(), v.integer(), v.gtValue(0));
export const time = v.pipe(v.string(), v.isoTimestamp());
