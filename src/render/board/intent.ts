import * as v from 'valibot';
import { described, maybe } from '../../schema/schemas.ts';

const text = v.string();
const yes = v.literal(true);
const texts = v.array(text) as v.GenericSchema<readonly string[]>;
const number = v.pipe(v.number(), v.integer(), v.minValue(0));
const reasoned = v.strictObject({ taskId: text, reason: maybe(text) });

/** What somebody wants who writes to the board, whatever their words and language. */
const intents = {
  help: v.strictObject({}),
  create_task: v.strictObject({ taskId: maybe(text), title: text, needs: maybe(texts) }),
  claim_task: v.strictObject({ taskId: text, steal: maybe(yes) }),
  mark_done: v.strictObject({ taskId: text, result: maybe(text) }),
  block_task: reasoned,
  unblock_task: reasoned,
  reopen_task: reasoned,
  fail_task: reasoned,
  cancel_task: reasoned,
  escalate_task: reasoned,
  submit_review: v.strictObject({ taskId: text, summary: maybe(text), reviewer: maybe(text) }),
  approve_review: v.strictObject({ taskId: text, note: maybe(text) }),
  request_changes: reasoned,
  add_needs: v.strictObject({ taskId: text, needs: texts }),
  status: v.strictObject({ taskId: maybe(text), full: maybe(yes) }),
  synthesize: v.strictObject({ taskId: maybe(text) }),
  create_project: v.strictObject({ name: text, items: texts }),
  start_project: v.strictObject({ path: text }),
  run: v.strictObject({ taskId: maybe(text) }),
  autopilot: v.strictObject({ steps: maybe(number) }),
  auto_progress: v.strictObject({ action: v.picklist(['on', 'off', 'status']), steps: maybe(number) }),
  dispatch: v.strictObject({ taskId: text, role: text, text: maybe(text) }),
  clarify: v.strictObject({ taskId: text, role: text, question: text }),
  /** A team member tells how far they are. */
  report: v.strictObject({ taskId: maybe(text), text }),
  /** One of our own messages came back to us. */
  ignored_loop: v.strictObject({}),
  /** Nothing is done. `suggestion`: the nearest command, ready to be sent. */
  unknown: v.strictObject({ raw: text, suggestion: maybe(text) }),
};
type Intents = typeof intents;
export type Intent = {
  [N in keyof Intents]: { intent: N } & v.InferOutput<Intents[N]>;
}[keyof Intents];

const fields: v.ObjectEntries = Object.assign({}, ...Object.values(intents).map(({ entries }) => entries));

/** What is wanted, and what with it: which of the fields there are depends on the intent. */
export const wanted: v.ObjectEntries = {
  intent: described(text, 'What was understood, such as create_task, claim_task, mark_done, status.'),
  ...v.partial(v.strictObject(fields)).entries,
};
