import * as v from 'valibot';
import { described, maybe, named, time } from '../../schema/schemas.ts';

/** What comes of a message to the board, as answers with --json have it; the types are those of these schemas. */

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const flag = v.boolean();
const orNull = v.nullable(text);
const list = <S extends v.GenericSchema>(item: S) =>
  v.array(item) as v.GenericSchema<readonly v.InferOutput<S>[]>;

const viewFields = {
  taskId: text,
  title: text,
  status: described(
    text,
    'In the words of the board: pending, claimed, in_progress, review, done, blocked, failed.',
  ),
  owner: orNull,
  assigneeHint: described(text, 'Who it is meant for.'),
  updatedAt: time,
  blockedReason: orNull,
  result: orNull,
  review: orNull,
  relatedTo: orNull,
};
const recordFields = { createdBy: text, createdAt: time, projectId: orNull, history: list(text) };

/** A task as the board's snapshot has it. */
export const boardRecord = v.strictObject({
  ...viewFields,
  status: v.picklist(['pending', 'claimed', 'in_progress', 'review', 'done', 'blocked', 'failed']),
  ...recordFields,
});
export type BoardTask = v.InferOutput<typeof boardRecord>;

/** An answer may have the whole record. */
const task = named(
  'boardTask',
  v.strictObject({ ...viewFields, ...v.partial(v.strictObject(recordFields)).entries }),
  'A task as the board shows it.',
);
export type TaskView = v.InferOutput<typeof task>;

/** What happened to a task, as people are told. */
const move = v.picklist([
  'created',
  'claimed',
  'stolen',
  'started',
  'progress',
  'done',
  'gated', // they said done, the gate did not agree
  'blocked',
  'unblocked',
  'reopened',
  'failed',
  'canceled',
  'escalated', // `task` is the diagnostic one
  'submitted',
  'approved',
  'returned',
  'linked',
]);
export type Move = v.InferOutput<typeof move>;

const refusalCode = v.picklist([
  'not_found',
  'exists',
  'illegal', // not from this status
  'held', // somebody else has it
  'at_work', // a worker of docket's own has it
  'own_review', // nobody reviews their own work
  'cycle',
  'unknown_need',
  'forbidden', // not for this sender, or switched off on this board
  'unsupported_role',
  'invalid',
  'stale', // an answer to what was asked before
]);
export type RefusalCode = v.InferOutput<typeof refusalCode>;

const stopReason = v.picklist(['no_runnable_task', 'max_steps_reached', 'stopped']);
export type StopReason = v.InferOutput<typeof stopReason>;

/** How many tasks are where, and those that a summary shows: what changed last comes first. */
const summary = v.strictObject({ counts: v.record(text, count), blocked: list(task), open: list(task) });
export type Summary = v.InferOutput<typeof summary>;

const one = <const K extends string, S extends v.ObjectEntries>(kind: K, fields: S) =>
  v.strictObject({ kind: v.literal(kind), ...fields });

const moved = one('moved', {
  move,
  /** As it is now. */
  task,
  /** What was said with it: result, reason, summary, the ids it now needs. */
  text: maybe(text),
  /** The reviewer, or from whom a task was taken. */
  other: maybe(text),
});
export type Moved = v.InferOutput<typeof moved>;

const refused = one('refused', {
  code: refusalCode,
  /** The intent that was refused, such as `claim_task`. */
  intent: text,
  taskId: maybe(text),
  status: maybe(text),
  /** Who has it. */
  holder: maybe(text),
  until: maybe(text),
  /** The id, role or sentence that it is about. */
  detail: maybe(text),
  allowed: maybe(list(text), 'Intents that are possible now.'),
});
export type Refused = v.InferOutput<typeof refused>;

const plain = [
  moved,
  refused,
  /** It was so already; nothing changed. */
  one('already', { move, task }),
  one('help', {}),
  one('status', { summary, full: maybe(flag) }),
  one('task', { task }),
  one('synthesis', { report: text }),
  one('dispatched', {
    task,
    agent: text,
    mode: v.picklist(['manual', 'spawn']),
    /** docket's own worker has done it, or not. */
    ended: maybe(
      v.strictObject({ decision: v.picklist(['done', 'blocked', 'stopped', 'lost']), detail: text }),
    ),
  }),
  one('nothing_to_run', {}),
  one('autopilot', {
    maxSteps: count,
    stepsRun: count,
    done: count,
    blocked: count,
    manual: count,
    stopReason,
    steps: maybe(list(v.strictObject({ taskId: text, agent: text, decision: text, detail: text }))),
  }),
  /** So many steps are left to the docket that is always there. */
  one('autopilot_ordered', { steps: count }),
  one('auto_progress', { enabled: flag, maxSteps: count }),
  one('project_created', { name: text, count }),
  one('bad_path', { path: text }),
  one('clarified', { taskId: text, role: text, question: text }),
  one('throttled', { taskId: text, role: text, retryAfterSec: v.number() }),
  one('report_without_id', {}),
  one('unknown', { raw: text, suggestion: maybe(text) }),
  /** Nothing is said: one of our own messages came back. */
  one('silent', {}),
] as const;

const started = one('project_started', {
  name: text,
  count,
  document: maybe(text),
  /** It was started before; nothing was made twice. */
  again: maybe(flag),
  path: maybe(text),
  taskIds: maybe(list(text)),
});

/** What came of a message: everything that an answer can be about. `first`: what became of a project's first task. */
export type Outcome =
  | v.InferOutput<(typeof plain)[number]>
  | (v.InferOutput<typeof started> & { first?: Outcome });

export const outcome: v.GenericSchema<Outcome> = named(
  'outcome',
  v.variant('kind', [...plain, v.strictObject({ ...started.entries, first: maybe(v.lazy(() => outcome)) })]),
  'What came of it.',
);

/** A message that can be answered with a button. Its texts are shown as they are: no markup, no mentions. */
export const card = v.strictObject({
  title: text,
  lines: list(text),
  buttons: list(
    v.strictObject({
      label: text,
      look: v.picklist(['plain', 'good', 'bad']),
      /** `times` is the gate's: a click on a card of an earlier round is told from a fresh one. */
      press: v.strictObject({ taskId: text, action: text, times: count }),
    }),
  ),
});
export type Card = v.InferOutput<typeof card>;

/** A message to the group. */
export const told = v.strictObject({
  key: described(text, 'The same whenever it is made again.'),
  seq: described(count, 'The line of the log that it comes from; 0: it stands in no log.'),
  taskId: text,
  text,
  /** In whose name it is sent, where that is not the orchestrator's. */
  from: maybe(text),
  card: maybe(card),
});
export type Told = v.InferOutput<typeof told>;
