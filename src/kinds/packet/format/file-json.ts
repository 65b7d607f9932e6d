import type { Fields, Json } from '../../../task/json.ts';
import { objectOf } from './own.ts';

export function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** What a file says that anybody may have written; nothing, where it holds no JSON object. */
export function objectIn(text: string): Fields {
  try {
    return objectOf(JSON.parse(text) as Json);
  } catch {
    return {};
  }
}
