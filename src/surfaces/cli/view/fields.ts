import * as v from 'valibot';
import type { Cost, Item, ParkedProvider, View } from '../../../project/view/types.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import * as json from '../frame/json.ts';

const why = v.strictObject({
  kind: json.described(
    json.text,
    'Of a task that is blocked one of: gate, limit, dependency, budget, auth, setup, …',
  ),
  text: json.text,
  who: json.maybe(json.text, 'Who must act.'),
  until: json.maybe(json.time),
  on: json.maybe(v.array(json.id), 'What it waits for itself, and what nothing takes up again.'),
});
const item = json.like<Omit<Item, 'next'>>()(
  json.named(
    'item',
    v.strictObject({
      layout: json.layout,
      id: json.id,
      name: json.name,
      title: json.text,
      status: json.status,
      since: json.described(json.time, 'When it became as it is.'),
      why,
      next: json.maybe(json.next),
      key: json.maybe(json.text, 'The same as long as it is the same need of a person.'),
      owner: json.maybe(json.text),
      step: json.maybe(json.text),
      agent: json.maybe(json.text),
      attempt: json.maybe(json.count),
      used: json.maybe(json.used),
      unproved: json.maybe(
        v.literal(true),
        'A file or another tool marked it done; docket has no evidence for it.',
      ),
    }),
    'A task, what it waits for, and the command that goes on with it.',
  ),
);
export const itemsAnswer = v.array(item);
const viewFinding = json.like<View['findings'][number]>()(
  v.strictObject({
    layout: v.picklist([...json.layout.options, 'meter']),
    path: json.text,
    message: json.text,
    fix: json.text,
    next: json.maybe(v.array(json.text), 'The command that answers it; absent: validate.'),
  }),
);
const cost = json.like<Cost>()(
  v.strictObject({
    calls: json.count,
    tokens: v.number(),
    money: json.described(v.number(), 'US dollars, as far as they are known.'),
    untold: json.described(json.count, 'Calls whose tokens nobody knows.'),
    unpriced: json.described(json.count, 'Calls whose price nobody knows.'),
    open: json.described(json.count, 'Calls at work.'),
    lost: json.described(json.count, 'Calls whose docket died.'),
  }),
);
export const viewAnswer = {
  at: json.time,
  root: json.text,
  layouts: json.described(
    v.array(
      v.strictObject({ layout: json.layout, tasks: json.count, counts: v.record(json.status, json.count) }),
    ),
    'The formats that are there.',
  ),
  findings: json.described(v.array(viewFinding), 'What cannot be read, and how it is mended.'),
  stuck: json.described(itemsAnswer, 'Nothing goes on with these by itself, though they are not over.'),
  needs: json.described(itemsAnswer, 'Only a person can do these.'),
  running: json.described(itemsAnswer, 'Somebody who lives is at work on them.'),
  waiting: json.described(itemsAnswer, 'Those that are next come first.'),
  ended: json.described(itemsAnswer, 'The latest first, and only some.'),
  more: json.described(
    v.strictObject({ failed: json.count, waiting: json.count }),
    'How many of them are left out.',
  ),
  cost: json.maybe(v.strictObject({ today: cost, all: cost })),
  parked: json.described(
    v.array(json.like<ParkedProvider>()(v.strictObject(json.parked))),
    'Providers that are left alone for a while.',
  ),
};

/** As `--json` prints it: the next step is a command that can be copied. */
export function viewFields(view: View, context: Pick<Context, 'globals'>): Record<string, unknown> {
  const items = (of: readonly Item[]) => of.map((item) => itemFields(item, context));
  const { stuck, needs, running, waiting, ended } = view;
  return {
    ...view,
    stuck: items(stuck),
    needs: items(needs),
    running: items(running),
    waiting: items(waiting),
    ended: items(ended),
  };
}

export function itemFields(
  { next, ...item }: Item,
  context: Pick<Context, 'globals'>,
): Record<string, unknown> {
  return next ? { ...item, next: { command: copyable(context, ...next.words), does: next.does } } : item;
}
