import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { NotifyStatus, Tried, Unsent } from '../../../app/notify/api.ts';
import type { BudgetRow, CostRow } from '../../../app/spending.ts';
import { one, type Published } from './answer.ts';
import { count, flag, like, text, time, used } from './parts.ts';
import { parked } from './view.ts';

type Limit = ReturnType<Awaited<ReturnType<App['spending']>>['limits']>[number];

const sum = {
  used,
  open: count.describe('Calls that are at work.'),
  lost: count.describe('Calls of which nobody knows what they used, because their docket died.'),
};
const costRow = like<CostRow>()(
  z.strictObject({
    key: text,
    name: text.exactOptional().describe('What people call a task of this queue.'),
    ...sum,
  }),
);
const cap = like<BudgetRow>()(
  z.strictObject({
    key: text.describe('What it caps: attempt, step, run, task, day, providers.NAME.'),
    unit: z.enum(['calls', 'tokens', 'money', 'seconds']),
    cap: z.number(),
    from: z.enum(['project', 'user']),
    used: z.number().exactOptional().describe('Of caps of a day.'),
    unknown: count
      .exactOptional()
      .describe('Calls of the day of which nobody knows how much of it they used.'),
    assumed: z
      .number()
      .exactOptional()
      .describe('So much of what is used is assumed for calls that told nothing.'),
  }),
);
const limit = like<Limit>()(
  z.strictObject({
    ...parked,
    source: text.describe('Where it was seen: a task and its step.'),
    strikes: count.describe('How often it was still so when somebody tried.'),
    openedAt: time.exactOptional(),
  }),
);

const way = z.enum(['terminal', 'desktop', 'webhook', 'chat']);
const tried = { tried: z.array(like<Tried>()(z.strictObject({ way, ok: flag, text }))) };
const unsent = z.array(
  like<Unsent>()(z.strictObject({ key: text, text, tries: count, why: text.exactOptional() })),
);

export const spending: Readonly<Record<string, Published>> = {
  cost: one('What calls of agents have used.', {
    by: z.enum(['task', 'agent', 'day', 'provider']),
    total: z.strictObject(sum),
    rows: z.array(costRow),
  }),
  budget: one('The caps that hold here, and what is used of them.', { caps: z.array(cap) }),
  'budget set': one('The cap that holds now.', {
    key: text,
    value: z.number().nullable().describe('null: no cap.'),
    file: text,
  }),
  limits: one('Providers that are left alone for a while.', { limits: z.array(limit) }),
  'limits open': one('Providers that may be asked again.', { provider: text, opened: z.array(text) }),
  'notify test': one('Every way by which people are told, tried once.', tried, { beside: tried }),
  'notify status': one(
    'What people were told, and what could not be told.',
    like<NotifyStatus>()(
      z.strictObject({
        ways: z.array(way),
        waiting: z.array(z.strictObject({ key: text, text, since: time })),
        told: z.array(z.strictObject({ key: text, at: time })).describe('The latest last.'),
        webhook: z.strictObject({ waiting: unsent, dead: unsent }),
      }),
    ).shape,
  ),
};
