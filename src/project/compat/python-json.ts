import { asciiJson } from '../../schema/json.ts';

/** JSON on one line as the original prints it: a space behind every comma and colon, ASCII only. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return asciiJson(JSON.stringify(value ?? null));
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${entries.map(([key, part]) => `${pythonJson(key)}: ${pythonJson(part)}`).join(', ')}}`;
}
