import { clip } from './clip.ts';
import { evidenceKinds, maxSummary } from './fields.ts';
import type { Report } from './schema.ts';

export type Loose = Readonly<Record<string, unknown>>;
type Evidence = Report['evidence'][number];

const longestLine = 2000;
const mostLines = 200;

export function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of these keys that holds a text with something in it. */
export function textAt(from: Loose, ...keys: readonly string[]): string | undefined {
  const key = keys.find((name) => {
    const value = Object.hasOwn(from, name) ? from[name] : undefined;
    return typeof value === 'string' && value.trim() !== '';
  });
  return key === undefined ? undefined : (from[key] as string).trim();
}

/** `done`, `in_progress`: as the worker wrote it, in one spelling. */
export function statusOf(from: Loose): string | undefined {
  const word = textAt(from, 'taskStatus', 'task_status') ?? textAt(from, 'status');
  return word?.toLowerCase().replaceAll(/[\s-]+/g, '_');
}

export function summaryOf(from: Loose): string | undefined {
  return textAt(from, 'summary', 'message', 'result', 'output');
}

/** What a worker handed back, whatever shapes it chose, as a report. Nothing is made up: what is absent stays empty. */
export function looseReport(from: Loose, status: Report['status']): Report {
  const list = (...keys: readonly string[]): unknown[] => {
    const key = keys.find((name) => Object.hasOwn(from, name) && from[name] !== null);
    return key === undefined ? [] : entriesOf(from[key]);
  };
  const lines = (...keys: readonly string[]): string[] => bounded(list(...keys).map(lineOf));
  return {
    status,
    summary: clip(summaryOf(from) ?? '', maxSummary),
    changes: lines('changes'),
    evidence: list('evidence').slice(0, mostLines).flatMap(evidenceOf),
    risks: lines('risks'),
    nextActions: lines('nextActions', 'next_actions', 'next', 'nextSteps'),
    questions: lines('questions'),
    errors: lines('errors'),
  };
}

/** Free words are a report that has a summary only. */
export function wordsAsReport(text: string, status: Report['status']): Report {
  return looseReport({ summary: text }, status);
}

/** A list, one entry without a list around it, or a text with an entry on each line. */
function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== 'string') return [value];
  return value.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ''));
}

function bounded(lines: readonly string[]): string[] {
  const kept = lines.filter((line) => line !== '');
  if (kept.length <= mostLines) return kept;
  return [...kept.slice(0, mostLines - 1), `… and ${kept.length - mostLines + 1} more (cut)`];
}

/** `path: summary`, as everywhere in a report. */
function lineOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return clip(value.trim(), longestLine);
  if (!isLoose(value)) return '';
  const place = textAt(value, 'path', 'file');
  const what = textAt(value, 'summary', 'change', 'description', 'text', 'title');
  return clip([place, what].filter((part) => part !== undefined).join(': '), longestLine);
}

function evidenceOf(value: unknown): Evidence[] {
  if (!isLoose(value)) {
    const ref = lineOf(value);
    return ref === '' ? [] : [{ kind: /^https?:\/\/\S+$/i.test(ref) ? 'url' : 'text', ref }];
  }
  const kind = evidenceKinds.find((known) => known === textAt(value, 'kind', 'type')?.toLowerCase());
  const said = textAt(value, 'note', 'output', 'result', 'summary', 'description');
  const pointers = [
    ['file', textAt(value, 'path', 'file')],
    ['url', textAt(value, 'url', 'link')],
    ['command', textAt(value, 'command', 'cmd')],
    [kind ?? 'text', textAt(value, 'ref', 'value', 'text', 'content') ?? said],
  ] as const;
  const found = pointers.find(([, ref]) => ref !== undefined);
  if (found?.[1] === undefined) return [];
  const ref = clip(found[1], longestLine);
  return [
    { kind: found[0], ref, ...(said !== undefined && said !== ref && { note: clip(said, longestLine) }) },
  ];
}
