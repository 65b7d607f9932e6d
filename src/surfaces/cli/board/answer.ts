import * as v from 'valibot';
import { outcome, told } from '../../../render/board/outcome.ts';
import { progress, withStream } from '../agent/answer.ts';
import * as json from '../frame/json.ts';

/** What is wanted, and what with it: which of the fields there are depends on the intent. */
const wanted = {
  intent: json.described(
    json.text,
    'What was understood, such as create_task, claim_task, mark_done, status.',
  ),
  taskId: json.maybe(json.text),
  title: json.maybe(json.text),
  needs: json.maybe(json.texts),
  steal: json.maybe(json.yes),
  result: json.maybe(json.text),
  reason: json.maybe(json.text),
  summary: json.maybe(json.text),
  reviewer: json.maybe(json.text),
  note: json.maybe(json.text),
  full: json.maybe(json.yes),
  name: json.maybe(json.text),
  items: json.maybe(json.texts),
  path: json.maybe(json.text),
  steps: json.maybe(json.count),
  action: json.maybe(v.picklist(['on', 'off', 'status'])),
  role: json.maybe(json.text),
  text: json.maybe(json.text),
  question: json.maybe(json.text),
  raw: json.maybe(json.text),
  suggestion: json.maybe(json.text),
};
const heard = {
  ...wanted,
  outcome,
  reply: json.described(json.text, 'The answer, in one to three lines.'),
  notices: json.described(v.array(told), 'What others are told.'),
  acceptance: json.maybe(
    v.strictObject({ ok: json.flag, reasonCode: json.text, reason: json.text }),
    'Of an attempt to finish.',
  ),
  queued: json.maybe(json.flag, 'Whether a chat passes on what stands in no log.'),
};
export const route = {
  intent: v.strictObject(wanted),
  overrideAgent: json.maybe(json.text),
  actor: json.text,
  locale: v.picklist(['en', 'zh', 'ja']),
  addressed: json.described(json.flag, 'The orchestrator is mentioned.'),
};
const ends = 'It fails, with the same beside the error, when the board did not do it.';
export const say = (about: string, or: readonly v.GenericSchema[] = []) =>
  json.one(`${about} ${ends}`, heard, { beside: heard, or });
export const streamed = (about: string) =>
  json.stream(`${about} ${ends}`, withStream, [...progress, json.answer(heard), json.refusal(heard)]);
