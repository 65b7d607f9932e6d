import * as v from 'valibot';
import type { ShownEvidence } from '../../../engine/evidence-book.ts';
import type { TaskDetails } from '../../../kinds/queue/show.ts';
import type { NextCommand } from '../../../project/init/next.ts';
import { described, maybe, named, time, type Schema } from '../../../schema/schemas.ts';
import { kindNames } from '../../../task/kind-names.ts';
import type { Task } from '../../../task/schema.ts';
import { statusNames } from './statuses.ts';
import type { Finding } from './world.ts';

/** What answers with --json are made of. */

export { described, maybe, named, time };

/** What a command prints with --json: one value, or as a stream one on each line. */
export interface Answer {
  readonly about: string;
  readonly schema: Schema;
  /** It is a stream, always or with which option: the beginning of a sentence. */
  readonly streams?: string;
}

export type Fields = v.ObjectEntries;

/**
 * Holds a schema to the type that the program prints: each of its values is one of the type, and every key of the type
 * stands in it. So neither changes without the other.
 */
export function like<T>() {
  return <S extends v.GenericSchema<unknown, T>>(
    schema: S & (keyof T extends keyof v.InferOutput<S> ? unknown : 'a key of the type is not in the schema'),
  ): S => schema;
}

export const version = described(v.literal(1), 'The version of this shape.');
export const text = v.string();
export const texts = v.array(text);
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const flag = v.boolean();
/** What is so or is not mentioned. */
export const yes = v.literal(true);

export const error = named(
  'error',
  v.strictObject({
    code: described(text, 'One of the codes of docs/errors.md.'),
    message: described(text, 'What is wrong, and where.'),
    fix: described(text, 'What to do about it.'),
    commands: described(v.array(texts), 'The docket commands that the fix names, each as its words.'),
    data: described(v.record(text, v.unknown()), 'What it is about; with the code RUN the exit code.'),
  }),
  'Why it was not done, or did not end well.',
);

export const answer = <const F extends Fields>(fields: F) =>
  v.strictObject({ v: version, ok: v.literal(true), ...fields });

/** `beside`: what it tells all the same, as far as it came. */
export const refusal = (beside: Fields = {}) =>
  v.strictObject({ v: version, ok: v.literal(false), error, ...v.partial(v.strictObject(beside)).entries });

interface More {
  /** Beside the error. */
  readonly beside?: Fields;
  /** Other answers, to other options. */
  readonly or?: readonly Schema[];
}

/** One value. */
export function one(about: string, fields: Fields, { beside, or = [] }: More = {}): Answer {
  return { about, schema: v.union([answer(fields), ...or, refusal(beside)]) };
}

/** Lines of these shapes, in any number, and as the last one what is said of the whole. */
export function stream(about: string, streams: string, shapes: readonly Schema[]): Answer {
  return { about, schema: v.union(shapes), streams };
}

export const id = described(text, 'What never changes about it, and what every command takes.');
export const name = described(text, 'What people call it; commands take it as well as the id.');
export const status = described(v.picklist(statusNames), 'Where it is in its life.');
export const short = { id, status, name };
export const layout = described(
  v.picklist(kindNames),
  'The format that it is written in: queue, task directory, packet or board.',
);
export const dryRun = described(flag, 'Nothing was changed: this is what would have been done.');

export const used = described(
  like<NonNullable<Task['used']>>()(
    v.strictObject({
      calls: count,
      untold: maybe(count),
      tokens: v.pipe(v.number(), v.minValue(0)),
      money: v.pipe(v.number(), v.minValue(0)),
      unpriced: maybe(count),
      seconds: v.pipe(v.number(), v.minValue(0)),
    }),
  ),
  'What calls of agents have used: calls, tokens in and out, US dollars, seconds; `untold` and `unpriced` count the calls of which nobody said their tokens or price.',
);
export const usage = like<NonNullable<TaskDetails['usage']>>()(
  v.strictObject({
    input: described(v.number(), 'Tokens, with those from a cache.'),
    cached: described(v.number(), 'Of them, those from a cache.'),
    output: v.number(),
    cost: maybe(v.number(), 'US dollars, where the vendor says so itself.'),
  }),
);

export const findings = v.array(
  like<Finding>()(
    named(
      'finding',
      v.strictObject({
        severity: v.picklist(['note', 'warning', 'error']),
        path: text,
        line: maybe(count),
        column: maybe(count),
        message: text,
        fix: text,
        next: maybe(texts, 'The words of the docket command that answers it, where that is not `validate`.'),
      }),
      'Something that is wrong with a file, and how it is mended.',
    ),
  ),
);

export const next = like<NextCommand>()(
  named(
    'next',
    v.strictObject({ command: described(text, 'A line to type.'), does: text }),
    'A command that is possible now.',
  ),
);

export const evidence = like<ShownEvidence>()(
  named(
    'evidence',
    v.strictObject({
      id: described(
        text,
        'Made from all the rest: an entry that was changed is no longer the one of that name.',
      ),
      at: time,
      taskId: text,
      kind: v.picklist(['command', 'tree', 'scope', 'claim']),
      what: described(text, 'A command line, a path, or in a word what it is about.'),
      exit: maybe(v.pipe(v.number(), v.integer())),
      ok: described(v.nullable(flag), 'null: docket cannot tell, or did not look.'),
      note: maybe(text),
      tree: described(text, 'The work tree that it was seen on; empty where there is no git.'),
      output: maybe(v.strictObject({ file: text, sha256: text, bytes: count })),
      wrong: maybe(text, 'Why it is not to be believed.'),
    }),
    'One thing that docket itself saw about the work.',
  ),
);

export const parked = {
  provider: text,
  kind: v.picklist(['limit', 'provider']),
  reason: text,
  since: time,
  until: described(time, 'When somebody may try again.'),
  told: described(flag, 'The provider said so; else it is a guess.'),
  tried: described(flag, 'Somebody tries it now.'),
};
