import { z } from 'zod';
import { clip } from './clip.ts';
import { evidenceKinds, maxSummary, reportStatuses } from './fields.ts';

const maxLine = 2000;
const maxLines = 200;
const maxArtifacts = 65_536;

const word = (allowed: readonly string[]) => (issue: { input?: unknown }) =>
  `${issue.input === undefined ? 'is missing' : 'has a wrong value'}: it must be ${listed(allowed)}`;

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const text = (max: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be a text') })
    .transform((value) => clip(value.trim(), max));

/** One line of a list. Models write `{path, summary}` where a line was asked for; both say the same. */
const line = z.preprocess(
  (value) => (isRecord(value) ? pathAndSummary(value) : value),
  z.string({ error: 'must be a text' }).transform((value) => clip(value.trim(), maxLine)),
);

const evidence = z.preprocess(
  (value) => (typeof value === 'string' ? { kind: 'text', ref: value } : withoutNulls(value)),
  z.object(
    {
      kind: z.enum(evidenceKinds, { error: word(evidenceKinds) }),
      ref: text(maxLine).refine((ref) => ref !== '', 'is empty'),
      note: text(maxLine).exactOptional(),
    },
    { error: 'must be a text or an object with kind and ref' },
  ),
);

/** What an agent hands back. Lax: an absent or null list is an empty one, a lone entry is a list of one. */
export const reportSchema = z.object(
  {
    status: z.preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      z.enum(reportStatuses, { error: word(reportStatuses) }),
    ),
    summary: text(maxSummary).refine((summary) => summary !== '', 'is empty'),
    changes: list(line),
    evidence: list(evidence),
    risks: list(line),
    nextActions: list(line),
    questions: list(line),
    errors: list(line),
    artifacts: z
      .record(z.string(), z.json(), { error: 'must be an object' })
      .refine(
        (value) => JSON.stringify(value).length <= maxArtifacts,
        `is longer than ${maxArtifacts} characters`,
      )
      .exactOptional(),
  },
  { error: 'must be an object' },
);
export type Report = z.infer<typeof reportSchema>;

function list<T extends z.ZodType>(item: T) {
  return z.preprocess(toList, z.array(item));
}

/** A list has a bound and says what it left out: a report goes into the journal of its task. */
function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  const entries = Array.isArray(value) ? (value as unknown[]) : [value];
  const said = entries.filter(
    (entry) => entry !== null && !(typeof entry === 'string' && entry.trim() === ''),
  );
  if (said.length <= maxLines) return said;
  return [...said.slice(0, maxLines - 1), `… and ${said.length - maxLines + 1} more (cut)`];
}

function pathAndSummary(value: Record<string, unknown>): unknown {
  const place = value['path'] ?? value['file'];
  const what = value['summary'] ?? value['change'] ?? value['description'];
  if (typeof place !== 'string') return value;
  return typeof what === 'string' ? `${place}: ${what}` : place;
}

function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
