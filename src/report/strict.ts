import { evidenceKinds, reportFields, reportStatuses, type ReportField } from './fields.ts';

/**
 * The report as vendors' structured output wants it: every property is required, what is optional may be null, and no
 * object has room for more. Written by hand, because a request needs it before anything needs zod; a test holds it to
 * the schema. Lengths are not in it: some vendors refuse a schema that has them.
 */
export const strictReportSchema: Readonly<Record<string, unknown>> = object({
  status: field('status', { type: 'string', enum: [...reportStatuses] }),
  summary: field('summary', { type: 'string' }),
  changes: lines('changes'),
  evidence: field('evidence', {
    type: ['array', 'null'],
    items: object({
      kind: { type: 'string', enum: [...evidenceKinds] },
      ref: { type: 'string' },
      note: { type: ['string', 'null'] },
    }),
  }),
  risks: lines('risks'),
  nextActions: lines('nextActions'),
  questions: lines('questions'),
  errors: lines('errors'),
  artifacts: field('artifacts', {
    ...object({
      worktreePath: { type: ['string', 'null'] },
      branch: { type: ['string', 'null'] },
      touchedFiles: { type: ['array', 'null'], items: { type: 'string' } },
      diffStat: { type: ['string', 'null'] },
    }),
    type: ['object', 'null'],
  }),
});

type Json = Record<string, unknown>;

function object(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function lines(name: ReportField): Json {
  return field(name, { type: ['array', 'null'], items: { type: 'string' } });
}

function field(name: ReportField, schema: Json): Json {
  return { ...schema, description: reportFields[name] };
}

/** Null means absent in the strict form: such keys go, at every depth, and an object that held nothing else too. */
export function normalise(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) {
    return value.filter((entry) => entry !== null).map((entry) => normalise(entry, depth + 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .filter(([, entry]) => entry !== null)
    .map(([key, entry]) => [key, normalise(entry, depth + 1)] as const)
    .filter(([, entry]) => depth > 0 || !isEmptyObject(entry));
  return Object.fromEntries(kept);
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
