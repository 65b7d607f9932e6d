import type { Json } from '../../task/json.ts';

/**
 * Words, paths and names that every YAML reader takes for text. A date or a number in quotes stays text everywhere.
 * Words of letters with single spaces between: the pattern cannot backtrack.
 */
const tame = /^(?:[\p{L}_]|\.(?=\p{L}))[\p{L}\p{M}\p{N}_./-]*(?: [\p{L}\p{M}\p{N}_./-]+)*$/u;
/** What some version of YAML takes for a truth value, nothing, or a number. */
const reserved = /^(?:true|false|yes|no|on|off|y|n|null|\.inf|\.nan)$/i;
/** Characters that JSON leaves as they are and YAML does not, or that editors break lines at. */
const unsafe = /[\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/** A value without an inside, on one line: plain when that is safe, else in double quotes with JSON's escapes. */
export function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  return tame.test(value) && !reserved.test(value) ? value : quotedJson(value);
}

/** In double quotes, with the escapes that JSON and YAML share. */
export function quotedJson(value: string): string {
  return JSON.stringify(value).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether a value needs lines of its own. */
export function isNested(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** A value as it stands behind `key: `. */
export function inline(value: Exclude<Json, object> | Json): string {
  if (Array.isArray(value)) return '[]';
  return typeof value === 'object' && value !== null ? '{}' : scalar(value);
}
