import * as v from 'valibot';
import type { Json } from '../task/json.ts';
import { clip } from './clip.ts';
import { evidenceKinds, maxSummary, reportStatuses } from './fields.ts';

const maxLine = 2000;
const maxLines = 200;
const maxArtifacts = 65_536;

type Told = { input: unknown };

const word = (allowed: readonly string[]) => {
  const listed = `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`;
  return ({ input }: Told) =>
    `${input === undefined ? 'is missing' : 'has a wrong value'}: it must be ${listed}`;
};

const clipped = (max: number, message: string | ((issue: Told) => string) = 'must be a text') =>
  v.pipe(
    v.string(message),
    v.transform((value) => clip(value.trim(), max)),
  );
const text = (max: number) =>
  clipped(max, ({ input }) => (input === undefined ? 'is missing' : 'must be a text'));

/** The value as `make` has it is what is checked. */
const made = <S extends v.GenericSchema>(make: (value: unknown) => unknown, schema: S) =>
  v.pipe(v.unknown(), v.transform(make), schema);

/** What is said of a missing key that takes one of some words, of any other, and of what is no object. */
const object = <E extends v.ObjectEntries>(
  entries: E,
  words: Readonly<Record<string, readonly string[]>>,
  message: string,
) =>
  v.object(entries, ({ expected }) => {
    const [, key] = /^"(.*)"$/.exec(expected ?? '') ?? [];
    if (key === undefined) return message;
    return words[key] ? word(words[key])({ input: undefined }) : 'is missing';
  });

/** One line of a list. Models write `{path, summary}` where a line was asked for; both say the same. */
const line = made((value) => (isRecord(value) ? pathAndSummary(value) : value), clipped(maxLine));

const evidence = made(
  asPointer,
  object(
    {
      kind: v.picklist(evidenceKinds, word(evidenceKinds)),
      ref: v.pipe(text(maxLine), v.nonEmpty('is empty')),
      note: v.exactOptional(text(maxLine)),
    },
    { kind: evidenceKinds },
    'must be a text or an object with kind and ref',
  ),
);

/** What an agent hands back. Lax: an absent or null list is an empty one, a lone entry is a list of one. */
export const reportSchema = object(
  {
    status: made(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      v.picklist(reportStatuses, word(reportStatuses)),
    ),
    summary: v.pipe(text(maxSummary), v.nonEmpty('is empty')),
    changes: list(line),
    evidence: list(evidence),
    risks: list(line),
    nextActions: list(line),
    questions: list(line),
    errors: list(line),
    artifacts: v.exactOptional(
      v.pipe(
        v.custom<Record<string, Json>>(isRecord, 'must be an object'),
        v.check(
          (value) => JSON.stringify(value).length <= maxArtifacts,
          `is longer than ${maxArtifacts} characters`,
        ),
      ),
    ),
  },
  { status: reportStatuses },
  'must be an object',
);
export type Report = v.InferOutput<typeof reportSchema>;

function list<S extends v.GenericSchema>(item: S) {
  return v.optional(made(toList, v.array(item)), []);
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

function asPointer(value: unknown): unknown {
  if (typeof value === 'string') return { kind: 'text', ref: value };
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
