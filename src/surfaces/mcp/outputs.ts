import { z } from 'zod';
import { kindNames } from '../../task/kind-names.ts';
import { statuses } from './inputs.ts';

const text = z.string();
const kind = z.enum(kindNames);
const status = z.enum(statuses);
const row = {
  kind,
  id: text,
  name: text.optional(),
  title: text,
  status,
  owner: text.optional(),
  why: text,
  updatedAt: text,
};
/** How to get what was left out. */
const more = z.array(text);

export const listOutput = z.object({
  tasks: z.array(z.object(row)),
  counts: z.record(text, z.int()),
  total: z.int(),
  problems: z.array(text),
  more,
  note: text,
});

export const showOutput = z.object({
  ...row,
  createdBy: text,
  trust: z.enum(['high', 'low']),
  needs: z.array(text),
  who: text.optional(),
  until: text.optional(),
  text: text.optional(),
  questions: z
    .array(
      z.object({
        question: text,
        by: text,
        at: text,
        answer: z.object({ text, by: text, at: text }).optional(),
        gate: text.optional(),
        choices: z.array(z.object({ id: text, text })).optional(),
      }),
    )
    .optional(),
  timeline: z.array(z.object({ at: text, by: text, text })).optional(),
  evidence: z.array(z.object({ at: text, what: text, ok: z.boolean().nullable() })).optional(),
  forPeople: z.array(z.object({ command: text, does: text })).optional(),
  more,
  note: text,
});

export const createOutput = z.object({
  kind,
  id: text,
  title: text,
  status,
  trust: z.enum(['high', 'low']),
  existing: z.boolean(),
  key: text,
  note: text,
});

export const answerOutput = z.object({
  kind,
  id: text,
  gate: text,
  decision: z.enum(['approved', 'rejected']),
  status,
  next: text,
});

export const boardOutput = z.object({
  id: text,
  status: text,
  owner: text.nullable(),
  reply: text,
  already: z.boolean(),
  until: text.optional(),
  accepted: z.boolean().optional(),
  missing: text.optional(),
  next: text,
});
