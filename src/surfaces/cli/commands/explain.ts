import * as v from 'valibot';
import type { Explanation } from '../../../render/explain/types.ts';
import { explainLines } from '../explain/lines.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import * as json from '../frame/json.ts';
import { anyTask, ofLayout } from '../frame/options.ts';

type Circle = NonNullable<Explanation['loop']>;
const loop = json.like<Circle>()(
  v.strictObject({
    pattern: v.picklist(['same', 'swing', 'finding', 'restart']),
    steps: json.texts,
    times: json.count,
    text: json.text,
    diffs: v.array(
      json.like<Circle['diffs'][number]>()(
        v.strictObject({
          step: json.text,
          at: json.time,
          patch: json.text,
          partial: json.maybe(v.literal(true)),
        }),
      ),
    ),
  }),
);
const call = json.like<Explanation['attempts'][number]>()(
  v.strictObject({
    step: json.text,
    n: json.count,
    agent: json.text,
    adapter: json.text,
    startedAt: json.time,
    session: json.maybe(json.text),
    endedAt: json.maybe(json.time),
    seconds: json.maybe(v.number()),
    outcome: json.maybe(json.text, 'Absent: it is at work, or nobody saw it end.'),
    error: json.maybe(json.text),
    usage: json.maybe(json.usage),
  }),
);
const explained = json.like<Omit<Explanation, 'next'>>()(
  v.strictObject({
    kind: json.layout,
    id: json.id,
    name: json.name,
    title: json.text,
    status: json.status,
    cause: json.described(
      v.strictObject({
        kind: json.text,
        text: json.text,
        who: json.maybe(json.text),
        resumesAt: json.maybe(json.time),
      }),
      'Why it is as it is, and who must act.',
    ),
    next: v.array(json.next),
    standsFor: json.maybe(json.text, 'The task of another format whose result this one’s is.'),
    doneBy: json.texts,
    used: json.maybe(json.used),
    timeline: v.array(
      v.strictObject({
        at: json.time,
        seq: json.count,
        by: json.text,
        type: json.text,
        text: json.text,
        step: json.maybe(json.text),
      }),
    ),
    attempts: json.described(v.array(call), 'Calls of agents.'),
    decisions: v.array(
      v.strictObject({
        at: json.time,
        kind: v.picklist(['rule', 'gate', 'verdict']),
        about: json.text,
        text: json.text,
        by: json.text,
      }),
    ),
    evidence: v.array(
      v.strictObject({
        id: json.text,
        at: json.time,
        kind: json.text,
        what: json.text,
        ok: v.nullable(json.flag),
        note: json.maybe(json.text),
        wrong: json.maybe(json.text),
      }),
    ),
    loop: json.maybe(loop, 'It turns in circles: the last two changes.'),
  }),
);

export const command: Definition = {
  operand: anyTask,
  options: [ofLayout],
  notes: [
    'Of any task: of the queue, a task directory, a packet, the board. The story from',
    'its journal, every call with session, time and cost, what was decided and by',
    'whom, what proves it, and the commands that are possible now. Of a loop also the',
    'last two changes, side by side where the terminal is wide. Nothing is changed.',
  ],
  examples: ['docket explain fix-login', "docket explain T-001 --json | jq '.cause, .next[0].command'"],
  answer: json.one(
    'Why a task is as it is, what can be done now, and how it came to that.',
    explained.entries,
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const found = await withDocket(context, (docket) => docket.explain(ref, last(args, 'of')));
  const next = found.next.map(({ words, does }) => ({ command: copyable(context, ...words), does }));
  if (globals.json) out.answer({ ...found, next });
  else out.data(explainLines(found, next, context).join('\n'));
  return 0;
}
