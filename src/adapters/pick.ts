import type { Line } from '../io/process/process.ts';

/** Careful reading of what a vendor prints: a field has the type we expect, or it is not there. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The JSON object that a text is. Undefined: it is none. */
export function objectIn(text: string): Fields | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return fieldsIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The same for a line of output; one that was cut is none. */
export function lineObject({ text, cut }: Line): Fields | undefined {
  return cut === undefined ? objectIn(text) : undefined;
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

const longest = 2000;

/** Enough of a tool's input or output for a person to see what it was about. All of it is in the raw log. */
export function excerpt(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
