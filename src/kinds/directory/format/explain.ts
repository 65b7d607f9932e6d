import type { z } from 'zod';
import { nearest } from '../../../errors/nearest.ts';
import { jsonPath, quoted, type Problem } from '../../../schema/problem.ts';
import { actionFields, packetFields, subtaskFields } from './action-fields.ts';

type Issue = z.core.$ZodIssue;

const meanings: Readonly<Record<string, string>> = { ...packetFields, ...actionFields, ...subtaskFields };
const { packet: _, ...ofPacket } = packetFields;
const mostKeys = 20;

/** A schema's verdict on an actions document, in words that whoever wrote the document can act on. */
export function explain(issue: Issue): Problem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = knownAt(path);
    return issue.keys.slice(0, mostKeys).map((key) => ({
      path: jsonPath([...path, key]),
      message: `unknown key ${quoted(key)}`,
      fix: didYouMean(key, known),
    }));
  }
  const field = path.findLast((key) => typeof key === 'string');
  const fix = (field === undefined ? undefined : meanings[field]) ?? shape;
  return [{ path: jsonPath(path), message: messageOf(issue), fix }];
}

function knownAt(path: readonly PropertyKey[]): string[] {
  if (path.length === 0) return Object.keys(actionFields);
  return path.at(-1) === 'packet' ? Object.keys(ofPacket) : [...Object.keys(subtaskFields), 'packet'];
}

const shape = 'write {"sessionGoal": "…", "tasks": [{"taskId", "title", "agent", "adapter", "prompt"}, …]}';

export function didYouMean(typed: string, known: readonly string[]): string {
  // Both come from outside: the search has a bound.
  const guess = typed.length > 64 ? undefined : nearest(typed, known.slice(0, 100));
  if (guess !== undefined) return `did you mean "${guess}"?`;
  return known.length === 0 ? 'take it out' : `known: ${known.slice(0, 20).join(', ')}`;
}

function messageOf(issue: Issue): string {
  const { input } = issue;
  if (input === undefined) return 'is missing';
  switch (issue.code) {
    case 'custom':
      return issue.message;
    case 'invalid_type':
      return `must be ${article(issue.expected)}, not ${article(typeName(input))}`;
    case 'too_small':
      return typeof input === 'number' ? `${input} is less than ${issue.minimum}` : 'is empty';
    case 'too_big':
      return typeof input === 'number'
        ? `${input} is more than ${issue.maximum}`
        : `is longer than ${issue.maximum}`;
    default:
      return typeof input === 'string'
        ? `${quoted(input)} is not allowed`
        : `${typeName(input)} is not allowed`;
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function article(type: string): string {
  if (type === 'null') return type;
  const word = type === 'int' ? 'whole number' : type;
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}
