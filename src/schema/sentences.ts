import type * as v from 'valibot';
import { pipeOf } from './inside.ts';
import { shown } from './problem.ts';
import type { Schema } from './schemas.ts';

/** What is wrong with a value that may have one of these schemas, without its name. */
export function problemIn(
  choices: readonly Schema[],
  { input, type, requirement }: v.BaseIssue<unknown>,
): string {
  if (typeof input === 'string' || Array.isArray(input)) {
    const size = `${String(requirement)} ${typeof input === 'string' ? 'characters' : 'items'}`;
    if (type === 'non_empty' || (type === 'min_length' && input.length === 0)) return 'is empty';
    if (type === 'min_length') return `has fewer than ${size}`;
    if (type === 'max_length') return `has more than ${size}`;
  }
  const words = wordsIn(choices);
  if (words.length > 1 && kindsOf(choices).length === 1)
    return `${shown(input)} is not one of ${words.join(', ')}`;
  if (typeof input === 'string' && choices.some((choice) => choice.type === 'string'))
    return `${shown(input)} is not allowed`;
  return `must be ${nounFor(choices)}`;
}

/** What to write instead, where the schema has no better advice. */
export function fixFor(choices: readonly Schema[], input: unknown): string {
  const [kind, ...others] = kindsOf(choices);
  if (others.length > 0 || kind === undefined) return `Write ${nounFor(choices)}.`;
  if (kind === 'a text' && (input === undefined || input === null || input === '')) return 'Give it a text.';
  if (kind === 'a text' && (typeof input === 'number' || typeof input === 'boolean'))
    return `Put it in quotes: "${input}".`;
  if (kind === 'a list') return 'Write a list, such as ["a"].';
  if (kind === 'keys with values') return 'Write keys, each with its value.';
  return `Write ${nounFor(choices)}.`;
}

function nounFor(choices: readonly Schema[]): string {
  const words = wordsIn(choices);
  const ofWords = words.length === 1 ? words.join('') : `one of ${words.join(', ')}`;
  return kindsOf(choices)
    .map((kind) => (kind === 'words' ? ofWords : kind))
    .join(' or ');
}

function kindsOf(choices: readonly Schema[]): string[] {
  return [...new Set(choices.map(kindOf))];
}

function kindOf(schema: Schema): string {
  if (schema.type === 'string') return 'a text';
  if (schema.type === 'number') return numberIn(schema);
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'picklist' || schema.type === 'literal') return 'words';
  if (schema.type === 'null') return 'null';
  return schema.type === 'array' || schema.type.endsWith('tuple') ? 'a list' : 'keys with values';
}

/** The words that a value may be one of. */
export function wordsIn(choices: readonly Schema[]): string[] {
  return choices.flatMap((choice) => {
    if ('options' in choice && choice.type === 'picklist') return (choice.options as unknown[]).map(String);
    const isWord = 'literal' in choice && typeof choice.literal !== 'boolean';
    return isWord ? [String(choice.literal)] : [];
  });
}

/** With the bounds that the schema sets. */
function numberIn(schema: Schema): string {
  const parts = pipeOf(schema) as { type: string; requirement?: number }[];
  const bound = (type: string) => parts.find((part) => part.type === type)?.requirement;
  const what = parts.some(({ type }) => type === 'integer') ? 'a whole number' : 'a number';
  const [least, most, above] = [bound('min_value'), bound('max_value'), bound('gt_value')];
  if (above !== undefined) return `${what} above ${above}`;
  if (least === undefined) return most === undefined ? what : `${what} of at most ${most}`;
  return most === undefined ? `${what} of at least ${least}` : `${what} from ${least} to ${most}`;
}
