import { z } from 'zod';

/** What a command prints with --json: one value, or as a stream one on each line. */
export interface Published {
  readonly about: string;
  readonly schema: z.ZodType;
  /** It is a stream, always or with which option: the beginning of a sentence. */
  readonly streams?: string;
}

export type Fields = Readonly<Record<string, z.ZodType>>;

export const v = z.literal(1).describe('The version of this shape.');

const error = z
  .strictObject({
    code: z.string().describe('One of the codes of docs/errors.md.'),
    message: z.string().describe('What is wrong, and where.'),
    fix: z.string().describe('What to do about it.'),
    data: z.record(z.string(), z.unknown()).describe('What it is about; with the code RUN the exit code.'),
  })
  .meta({ id: 'error', description: 'Why it was not done, or did not end well.' });

export const answer = (fields: Fields) => z.strictObject({ v, ok: z.literal(true), ...fields });

/** `beside`: what it tells all the same, as far as it came. */
export const refusal = (beside: Fields = {}) =>
  z.strictObject({ v, ok: z.literal(false), error, ...z.strictObject(beside).partial().shape });

interface More {
  /** Beside the error. */
  readonly beside?: Fields;
  /** Other answers, to other options. */
  readonly or?: readonly z.ZodType[];
}

/** One value. */
export function one(about: string, fields: Fields, { beside, or = [] }: More = {}): Published {
  return { about, schema: z.union([answer(fields), ...or, refusal(beside)]) };
}

/** Lines of these shapes, in any number, and as the last one what is said of the whole. */
export function stream(about: string, streams: string, shapes: readonly z.ZodType[]): Published {
  return { about, schema: z.union(shapes), streams };
}
