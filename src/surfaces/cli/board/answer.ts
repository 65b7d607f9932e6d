import * as v from 'valibot';
import { wanted } from '../../../render/board/intent.ts';
import { outcome, told } from '../../../render/board/outcome.ts';
import { progress, withStream } from '../agent/answer.ts';
import * as json from '../frame/json.ts';

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
