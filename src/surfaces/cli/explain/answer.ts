import * as v from 'valibot';
import type { Explanation } from '../../../render/explain/types.ts';
import * as json from '../frame/json.ts';

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
export const explained = json.like<Omit<Explanation, 'next'>>()(
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
