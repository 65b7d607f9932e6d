/** A value as JSON and YAML know it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Fields = Readonly<Record<string, Json>>;

export function isObject(value: Json | undefined): value is { [key: string]: Json };
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object; of anything else none. */
export function objectOf(value: unknown): Fields {
  return isObject(value) ? (value as Fields) : {};
}
