import { z } from 'zod';
import type { ShownEvidence } from '../../../app/evidence.ts';
import type { NextCommand } from '../../../app/init/next.ts';
import type { TaskDetails } from '../../../kinds/queue/api.ts';
import { statusNames } from '../statuses.ts';
import type { Finding } from '../world.ts';

/**
 * Holds a schema to the type that the program prints: each of its values is one of the type, and every key of the type
 * stands in it. So neither changes without the other.
 */
export function like<T>() {
  return <S extends z.ZodType<T>>(
    schema: S & (keyof T extends keyof z.output<S> ? unknown : 'a key of the type is not in the schema'),
  ): S => schema;
}

export const text = z.string();
export const count = z.int().nonnegative();
export const flag = z.boolean();
export const time = z.iso.datetime({ offset: true });

export const id = text.describe('What never changes about it, and what every command takes.');
export const name = text.describe('What people call it; commands take it as well as the id.');
export const status = z.enum(statusNames).describe('Where it is in its life.');
export const layout = z
  .enum(['queue', 'task', 'packet', 'board'])
  .describe('The format that it is written in: queue, task directory, packet or board.');

type Usage = NonNullable<TaskDetails['usage']>;
export const usage = like<Usage>()(
  z.strictObject({
    input: z.number().describe('Tokens, with those from a cache.'),
    cached: z.number().describe('Of them, those from a cache.'),
    output: z.number(),
    cost: z.number().exactOptional().describe('US dollars, where the vendor says so itself.'),
  }),
);

const finding = like<Finding>()(
  z
    .strictObject({
      severity: z.enum(['note', 'warning', 'error']),
      path: text,
      line: count.exactOptional(),
      column: count.exactOptional(),
      message: text,
      fix: text,
      next: z
        .array(text)
        .exactOptional()
        .describe('The words of the docket command that answers it, where that is not `validate`.'),
    })
    .meta({ id: 'finding', description: 'Something that is wrong with a file, and how it is mended.' }),
);
export const findings = z.array(finding);

export const next = like<NextCommand>()(
  z
    .strictObject({ command: text.describe('A line to type.'), does: text })
    .meta({ id: 'next', description: 'A command that is possible now.' }),
);

export const need = like<TaskDetails['waits'][number]>()(
  z
    .strictObject({
      on: id,
      status: z.enum([...statusNames, 'missing']),
      lost: z
        .strictObject({ on: id, status: z.enum(['missing', 'canceled', 'failed', 'rejected']) })
        .exactOptional()
        .describe('What nothing takes up again by itself: this task, or one that it waits for.'),
    })
    .meta({ id: 'need', description: 'A task that must be done first, and is not.' }),
);

export const evidence = like<ShownEvidence>()(
  z
    .strictObject({
      id: text.describe(
        'Made from all the rest: an entry that was changed is no longer the one of that name.',
      ),
      at: time,
      taskId: text,
      kind: z.enum(['command', 'tree', 'scope', 'claim']),
      what: text.describe('A command line, a path, or in a word what it is about.'),
      exit: z.int().exactOptional(),
      ok: flag.nullable().describe('null: docket cannot tell, or did not look.'),
      note: text.exactOptional(),
      tree: text.describe('The work tree that it was seen on; empty where there is no git.'),
      output: z.strictObject({ file: text, sha256: text, bytes: count }).exactOptional(),
      wrong: text.exactOptional().describe('Why it is not to be believed.'),
    })
    .meta({ id: 'evidence', description: 'One thing that docket itself saw about the work.' }),
);

export const sides = like<TaskDetails['sides']>()(
  z
    .strictObject({ standsFor: text.exactOptional(), doneBy: z.array(text) })
    .describe('Tasks of other formats that belong to it, such as board:T-12.'),
);

/** A step of a task, as `show` tells it. */
export const step = like<TaskDetails['steps'][number]>()(
  z
    .strictObject({
      step: id,
      title: text,
      state: text,
      agent: text,
      attempt: count.exactOptional(),
      startedAt: time.exactOptional(),
      seconds: z.number().exactOptional(),
      usage: usage.exactOptional(),
      chose: z
        .strictObject({
          rule: count,
          text,
          by: z.enum(['only', 'when', 'parts', 'checks', 'tag', 'judge', 'default']),
        })
        .exactOptional()
        .describe('The rule that says what follows.'),
      said: text.describe('What was said about it last.'),
    })
    .meta({ id: 'step' }),
);
