import * as v from 'valibot';
import type { Packet, PacketPlan } from '../../../kinds/packet/api.ts';
import { progress, withStream } from '../agent/answer.ts';
import * as json from '../frame/json.ts';

const stage = json.like<Packet['stages'][number]>()(
  v.strictObject({
    stage: json.text,
    state: json.text,
    exitCode: json.maybe(v.pipe(v.number(), v.integer())),
    seconds: json.maybe(v.number()),
    reasons: json.described(v.array(json.text), 'Why it failed, or was undone.'),
  }),
);
/** What is said of every packet. */
export const packet = json.like<Omit<Packet, 'task'>>()(
  v.strictObject({
    id: json.id,
    status: json.status,
    dir: json.described(json.text, 'From the root.'),
    goal: json.text,
    intent: json.text,
    stages: v.array(stage),
    calls: v.strictObject({ used: json.count, budget: json.count }),
    why: json.maybe(json.text, 'Why it stands still.'),
    archived: json.maybe(v.literal(true)),
    makeAnewFrom: json.maybe(json.text, 'What it made did not pass: run it from this stage.'),
  }),
).entries;

const ran = {
  ...packet,
  interrupted: json.flag,
  summary: json.described(json.text, 'The file to look at first.'),
  results: json.maybe(json.text),
};
const plan = {
  id: json.id,
  ...json.like<PacketPlan>()(
    v.strictObject({
      profile: json.text,
      stages: v.array(
        v.strictObject({ stage: json.text, model: json.text, runs: json.flag, why: json.text }),
      ),
    }),
  ).entries,
};
const ends = 'It fails, with the packet beside the error, when a stage did not end well.';
export const streamed = (about: string) =>
  json.stream(`${about} ${ends}`, withStream, [
    ...progress,
    json.answer(ran),
    json.answer(plan),
    json.refusal(ran),
  ]);
export const oneRun = (about: string) =>
  json.one(`${about} ${ends}`, ran, { beside: ran, or: [json.answer(plan)] });
