import { mapping, type Reads } from './fields.ts';
import type { Place } from './problem.ts';
import { idleInStep } from './refused.ts';
import { text } from './values.ts';

/** A name, a path or a text, and where it is written; or the name of a parameter that says it. */
export type Ref = { at: Place; text: string; param?: true };
export type Provider = { at: Place; type: string; model?: string };

export const ref: Reads<Ref> = (value, path, mistakes) => {
  const at = [...path];
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const param = isMap && Object.keys(value).length === 1 ? value['$param'] : undefined;
  if (typeof param === 'string') return { at, text: param, param: true };
  return { at, text: text()(typeof value === 'number' ? String(value) : (value ?? null), path, mistakes) };
};

/** `provider: codex`, or a block with its type and model. */
export const provider: Reads<Provider> = (value, path, mistakes) => {
  if (typeof value === 'string') return { at: [...path], type: text()(value, path, mistakes) };
  const block = mapping({
    known: { type: text(), model: text() },
    idle: Object.fromEntries(
      ['network_access', 'sandbox', 'effort', 'base_url'].map((key) => [
        key,
        idleInStep['provider_options'] ?? '',
      ]),
    ),
  })(value, path, mistakes);
  return { ...block, type: block.type ?? '' };
};
