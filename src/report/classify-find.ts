import { candidatesIn } from './candidates.ts';
import { isLoose, statusOf, summaryOf, textAt, type Loose } from './classify-fields.ts';

/** Where tools put what an agent said. Anything else in an object belongs to it: a list of evidence is no answer. */
const wrappers = [
  'report',
  'structured_output',
  'structured',
  'result',
  'output',
  'response',
  'reply',
  'payload',
  'payloads',
  'data',
  'content',
  'message',
  'text',
  'final',
];
const deepest = 8;
const mostValues = 5000;
const mostWords = 50;

export interface Found {
  /** The worker's report, if there is one, and what it was wrapped in, outermost first. */
  report?: Loose;
  around: readonly Loose[];
  /** What was said in words, when nobody reported. */
  text: string;
  isJson: boolean;
}

/** The report in what a worker left: alone, between sentences, wrapped by a tool, or as a text inside another JSON. */
export function findReport(output: unknown, taskId: string): Found {
  const walk: Walk = { reports: [], tops: [], texts: [], left: mostValues };
  look(output, [], 0, walk);
  const own = walk.reports.findLast(({ report }) => sameName(textAt(report, 'taskId', 'task_id'), taskId));
  const { report, around } = own ?? walk.reports.at(-1) ?? {};
  const isJson = walk.tops.length > 0;
  const [only] = walk.tops.length === 1 ? walk.tops : [];
  const text = walk.texts.join('\n').trim() || wordsIn(only).join('\n');
  if (report && around) return { report, around, text, isJson };
  // Of several objects side by side none is the answer to the call.
  return { around: walk.tops.length === 1 ? walk.tops : [], text, isJson };
}

/** Names are compared as people write them. */
export function sameName(a: string | undefined, b: string): boolean {
  return a !== undefined && a.toLowerCase() === b.trim().toLowerCase();
}

interface Walk {
  reports: { report: Loose; around: readonly Loose[] }[];
  /** Objects that no other object is around. */
  tops: Loose[];
  texts: string[];
  left: number;
}

function look(value: unknown, around: readonly Loose[], depth: number, walk: Walk): void {
  if (depth > deepest || walk.left-- <= 0) return;
  if (typeof value === 'string') {
    const inner = value.includes('{') ? candidatesIn(value).values.filter((found) => found !== value) : [];
    for (const found of inner) look(found, around, depth + 1, walk);
    // Words around an object count; one that is nothing but JSON has none.
    if (inner.length === 0 || !/^\s*[{"]/.test(value)) walk.texts.push(value.replaceAll(pairs, ' '));
  } else if (Array.isArray(value)) {
    for (const entry of value) look(entry, around, depth + 1, walk);
  } else if (isLoose(value)) {
    if (around.length === 0) walk.tops.push(value);
    for (const key of wrappers)
      if (Object.hasOwn(value, key)) look(value[key], [...around, value], depth + 1, walk);
    const wraps = walk.reports.some((found) => found.around.includes(value));
    if (!wraps && isReport(value)) walk.reports.push({ report: value, around });
  }
}

/** What stands in broken JSON is nobody's word. */
const pairs = /"[^"\n]{0,200}"\s{0,20}:\s{0,20}(?:"[^"\n]*"?|[\w.-]+)/g;

/** All that an object says, under whatever names: some workers invent their own form. */
function wordsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value.trim()].filter((words) => words !== '');
  if (depth > deepest || typeof value !== 'object' || value === null) return [];
  if (isLoose(value) && isForm(value)) return [];
  return Object.values(value)
    .slice(0, mostWords)
    .flatMap((inner) => wordsIn(inner, depth + 1));
}

/** A choice of words is the form that we sent, not an answer. */
function isForm(value: Loose): boolean {
  return statusOf(value)?.includes('|') === true;
}

function isReport(value: Loose): boolean {
  if (isForm(value)) return false;
  const status = statusOf(value);
  const about = textAt(value, 'taskId', 'task_id') !== undefined;
  if (status !== undefined && status !== 'ok') return about || summaryOf(value) !== undefined;
  if (textAt(value, 'summary') !== undefined) return true;
  return summaryOf(value) !== undefined && (about || Object.hasOwn(value, 'evidence'));
}
