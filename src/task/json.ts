/** A value as JSON and YAML know it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Fields = Readonly<Record<string, Json>>;
