import * as v from 'valibot';
import { boardRecord } from '../../../render/board/outcome.ts';
import * as json from '../frame/json.ts';
import { packet } from '../packet/answer.ts';
import { details, need, sides, step, task } from '../queue/answer.ts';
import { directory, openAnswer } from '../task/schema.ts';

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
};

export const showAnswer = json.one(
  'All about one task, in the terms of its format: `kind` says which.',
  details,
  {
    or: [
      openAnswer({ ...directory.shown, kind: v.literal('task') }),
      json.answer({ ...packet, next: json.maybe(json.text), kind: v.literal('packet') }),
      json.answer(onBoard),
    ],
  },
);
