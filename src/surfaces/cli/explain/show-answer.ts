import * as v from 'valibot';
import { boardRecord } from '../../../render/board/outcome.ts';
import * as json from '../frame/json.ts';
import { packet } from '../packet/answer.ts';
import { details, need, sides, step, task } from '../queue/answer.ts';
import { delivery } from '../queue/delivery-answer.ts';
import { gate } from '../task/gate-answer.ts';
import { directory, openAnswer } from '../task/schema.ts';
import { explained } from './answer.ts';

const { cause, standsFor, doneBy } = explained.entries;

/** The same for a task of any kind. */
const about = json.described(
  v.strictObject({
    ref: json.described(json.text, 'What commands take for this task and no other.'),
    name: json.name,
    title: json.text,
    cause,
    waits: v.array(need),
    steps: v.array(step),
    gates: v.array(gate),
    evidence: v.array(json.evidence),
    delivery: json.maybe(delivery),
    used: json.maybe(json.used),
    standsFor,
    doneBy,
    next: json.described(v.array(json.next), 'What can be done now, the likeliest first.'),
  }),
  'What every task has, in the same words whatever its kind.',
);

const onBoard = {
  kind: v.literal('board'),
  id: json.id,
  status: json.status,
  title: json.text,
  task,
  record: boardRecord,
  waits: v.array(need),
  steps: v.array(step),
  evidence: v.array(json.evidence),
  sides,
  next: v.array(json.next),
  about,
};

export const showAnswer = json.one(
  'All about one task: `about` is the same for every kind, the rest is in the terms of its format, and `kind` says which.',
  { ...details, about },
  {
    or: [
      openAnswer({ ...directory.shown, about, kind: v.literal('task') }),
      json.answer({ ...packet, next: json.maybe(json.text), about, kind: v.literal('packet') }),
      json.answer(onBoard),
    ],
  },
);
