import * as v from 'valibot';
import { candidatesIn } from './candidates.ts';
import { reportSchema, type Report } from './schema.ts';
import { normalise } from './strict.ts';

export type Parsed = { report: Report } | { problem: string };

/** Keys under which tools wrap an answer. */
const wrappers = [
  'report',
  'structured_output',
  'structured',
  'result',
  'output',
  'response',
  'content',
  'text',
];
const deepestWrap = 4;
const deepest = 64;

/**
 * The report in an answer: JSON alone, in a fence, between sentences, or inside a JSON string. Of several the last one
 * that is whole. Nothing is guessed: without one, the problem says what is missing, in words that the agent can act on.
 */
export function parseReport(text: string): Parsed {
  return find(text, 0);
}

/** What a vendor handed over as structured, or what stands in a report file: an object, or a text that holds one. */
export function reportFrom(value: unknown): Parsed {
  return typeof value === 'string' ? find(value, 0) : judge(value, 0);
}

function find(text: string, depth: number): Parsed {
  if (text.trim() === '') return { problem: 'the answer is empty' };
  const { values, broken } = candidatesIn(text);
  let problem: string | undefined;
  for (const value of values.toReversed()) {
    const judged = judge(value, depth);
    if ('report' in judged) return judged;
    problem ??= judged.problem;
  }
  if (broken !== undefined) return { problem: `the report is not valid JSON: ${broken}` };
  return { problem: problem ?? 'the answer holds no JSON object' };
}

function judge(value: unknown, depth: number): Parsed {
  if (typeof value === 'string') {
    return depth < deepestWrap ? find(value, depth + 1) : { problem: 'the answer holds no JSON object' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'the answer is JSON, but no object' };
  }
  if (isDeeper(value, deepest)) return { problem: 'the object is nested too deeply' };
  const record = normalise(value) as Record<string, unknown>;
  const checked = v.safeParse(reportSchema, record);
  if (checked.success) return { report: checked.output };
  for (const key of wrappers) {
    const inner = Object.hasOwn(record, key) ? record[key] : undefined;
    if (depth >= deepestWrap || (typeof inner !== 'object' && typeof inner !== 'string')) continue;
    const judged = judge(inner, depth + 1);
    if ('report' in judged) return judged;
  }
  const issues = checked.issues.slice(0, 8);
  return {
    problem: issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`.trim()).join('; '),
  };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1));
}
