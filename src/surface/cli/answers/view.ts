import { z } from 'zod';
import type { Cost, Item, ParkedProvider, View } from '../../../app/view/types.ts';
import { answer, one, refusal, stream, type Published } from './answer.ts';
import { count, flag, id, layout, like, name, next, status, text, time, used } from './parts.ts';

const why = z.strictObject({
  kind: text.describe('Of a task that is blocked one of: gate, limit, dependency, budget, auth, setup, …'),
  text,
  who: text.exactOptional().describe('Who must act.'),
  until: time.exactOptional(),
  on: z.array(id).exactOptional().describe('What it waits for itself, and what nothing takes up again.'),
});

const item = like<Omit<Item, 'next'>>()(
  z
    .strictObject({
      layout,
      id,
      name,
      title: text,
      status,
      since: time.describe('When it became as it is.'),
      why,
      next: next.exactOptional(),
      key: text.exactOptional().describe('The same as long as it is the same need of a person.'),
      owner: text.exactOptional(),
      step: text.exactOptional(),
      agent: text.exactOptional(),
      attempt: count.exactOptional(),
      used: used.exactOptional(),
      unproved: z
        .literal(true)
        .exactOptional()
        .describe('A file or another tool marked it done; docket has no evidence for it.'),
    })
    .meta({ id: 'item', description: 'A task, what it waits for, and the command that goes on with it.' }),
);
const items = z.array(item);

const viewFinding = like<View['findings'][number]>()(
  z.strictObject({
    layout: z.enum([...layout.options, 'meter']),
    path: text,
    message: text,
    fix: text,
    next: z.array(text).exactOptional().describe('The command that answers it; absent: validate.'),
  }),
);

const cost = like<Cost>()(
  z.strictObject({
    calls: count,
    tokens: z.number(),
    money: z.number().describe('US dollars, as far as they are known.'),
    untold: count.describe('Calls whose tokens nobody knows.'),
    unpriced: count.describe('Calls whose price nobody knows.'),
    open: count.describe('Calls at work.'),
    lost: count.describe('Calls whose docket died.'),
  }),
);

const parked = {
  provider: text,
  kind: z.enum(['limit', 'provider']),
  reason: text,
  since: time,
  until: time.describe('When somebody may try again.'),
  told: flag.describe('The provider said so; else it is a guess.'),
  tried: flag.describe('Somebody tries it now.'),
};

const view = {
  at: time,
  root: text,
  layouts: z
    .array(z.strictObject({ layout, tasks: count, counts: z.partialRecord(status, count) }))
    .describe('The formats that are there.'),
  findings: z.array(viewFinding).describe('What cannot be read, and how it is mended.'),
  stuck: items.describe('Nothing goes on with these by itself, though they are not over.'),
  needs: items.describe('Only a person can do these.'),
  running: items.describe('Somebody who lives is at work on them.'),
  waiting: items.describe('Those that are next come first.'),
  ended: items.describe('The latest first, and only some.'),
  more: z.strictObject({ failed: count, waiting: count }).describe('How many of them are left out.'),
  cost: z.strictObject({ today: cost, all: cost }).exactOptional(),
  parked: z
    .array(like<ParkedProvider>()(z.strictObject(parked)))
    .describe('Providers that are left alone for a while.'),
};

export const views: Readonly<Record<string, Published>> = {
  status: stream(
    'Everything of the workspace at one moment: what is stuck, what needs a person, what runs, what waits, what it cost. With --watch a line whenever something is another than before.',
    'With --watch a stream',
    [answer(view), refusal()],
  ),
  'needs-me': one('Only what a person must do, each with the command that does it.', {
    needs: items,
    findings: view.findings,
    more: z.strictObject({ failed: count }),
  }),
};
