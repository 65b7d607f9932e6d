import * as v from 'valibot';
import type { Docket } from '../../../project/docket.ts';
import type { Move, Outcome, RefusalCode, TaskView } from '../../../render/board/outcome.ts';
import { progress, withStream } from '../agent/answer.ts';
import * as json from '../frame/json.ts';

const orNull = v.nullable(json.text);
/** What an answer says of a task of the board. */
const viewFields = {
  taskId: json.text,
  title: json.text,
  status: json.described(
    json.text,
    'In the words of the board: pending, claimed, in_progress, review, done, blocked, failed.',
  ),
  owner: orNull,
  assigneeHint: json.described(json.text, 'Who it is meant for.'),
  updatedAt: json.time,
  blockedReason: orNull,
  result: orNull,
  review: orNull,
  relatedTo: orNull,
};
/** An answer may have the whole record. */
const recordFields = {
  createdBy: json.text,
  createdAt: json.time,
  projectId: orNull,
  history: v.array(json.text),
};
const boardTask = json.like<TaskView>()(
  json.named(
    'boardTask',
    v.strictObject({ ...viewFields, ...v.partial(v.strictObject(recordFields)).entries }),
    'A task as the board shows it.',
  ),
);
const boardTasks = v.array(boardTask);

type Details = Extract<Awaited<ReturnType<Docket['show']>>, { kind: 'board' }>['details'];
export const boardRecord = json.like<Details['record']>()(
  v.strictObject({
    ...viewFields,
    status: v.picklist(['pending', 'claimed', 'in_progress', 'review', 'done', 'blocked', 'failed']),
    ...recordFields,
  }),
);

const move = v.picklist([
  'created',
  'claimed',
  'stolen',
  'released',
  'started',
  'progress',
  'done',
  'gated',
  'blocked',
  'unblocked',
  'reopened',
  'failed',
  'canceled',
  'escalated',
  'submitted',
  'approved',
  'returned',
  'linked',
] as const satisfies readonly Move[]);
const refusalCode = v.picklist([
  'not_found',
  'exists',
  'illegal',
  'held',
  'at_work',
  'own_review',
  'cycle',
  'unknown_need',
  'forbidden',
  'unsupported_role',
  'invalid',
  'stale',
  'busy',
] as const satisfies readonly RefusalCode[]);
const one = <K extends Outcome['kind'], S extends v.ObjectEntries>(kind: K, fields: S) =>
  v.strictObject({ kind: v.literal(kind), ...fields });
const given = { agent: json.text, decision: json.text, detail: json.text };
/** What came of a message. A project that was started tells of its first task in the same words. */
const outcome: v.GenericSchema<Outcome> = json.named(
  'outcome',
  v.variant('kind', [
    one('moved', { move, task: boardTask, text: json.maybe(json.text), other: json.maybe(json.text) }),
    one('refused', {
      code: refusalCode,
      intent: json.text,
      taskId: json.maybe(json.text),
      status: json.maybe(json.text),
      holder: json.maybe(json.text),
      until: json.maybe(json.text),
      detail: json.maybe(json.text),
      allowed: json.maybe(v.array(json.text), 'Intents that are possible now.'),
    }),
    one('already', { move, task: boardTask }),
    one('help', {}),
    one('status', {
      summary: v.strictObject({
        counts: v.record(json.text, json.count),
        blocked: boardTasks,
        open: boardTasks,
      }),
      full: json.maybe(json.flag),
    }),
    one('task', { task: boardTask }),
    one('synthesis', { report: json.text }),
    one('dispatched', {
      task: boardTask,
      agent: json.text,
      mode: v.picklist(['manual', 'spawn']),
      ended: json.maybe(
        v.strictObject({ decision: v.picklist(['done', 'blocked', 'stopped', 'lost']), detail: json.text }),
      ),
    }),
    one('nothing_to_run', {}),
    one('autopilot', {
      maxSteps: json.count,
      stepsRun: json.count,
      done: json.count,
      blocked: json.count,
      manual: json.count,
      stopReason: v.picklist([
        'no_runnable_task',
        'max_steps_reached',
        'dispatch_failed',
        'invalid_task',
        'stopped',
      ]),
      steps: json.maybe(v.array(v.strictObject({ taskId: json.text, ...given }))),
    }),
    one('autopilot_ordered', { steps: json.count }),
    one('auto_progress', { enabled: json.flag, maxSteps: json.count }),
    one('project_created', { name: json.text, count: json.count }),
    one('project_started', {
      name: json.text,
      count: json.count,
      document: json.maybe(json.text),
      again: json.maybe(json.flag),
      path: json.maybe(json.text),
      taskIds: json.maybe(v.array(json.text)),
      first: json.maybe(v.lazy(() => outcome)),
    }),
    one('bad_path', { path: json.text }),
    one('clarified', { taskId: json.text, role: json.text, question: json.text }),
    one('throttled', { taskId: json.text, role: json.text, retryAfterSec: v.number() }),
    one('report_without_id', {}),
    one('unknown', { raw: json.text, suggestion: json.maybe(json.text) }),
    one('silent', {}),
  ]),
  'What came of it.',
);

type Board = Awaited<ReturnType<Docket['board']>>;
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
type Told = Awaited<ReturnType<Board['say']>>['notices'][number];
const button = v.strictObject({
  label: json.text,
  look: v.picklist(['plain', 'good', 'bad']),
  press: v.strictObject({ taskId: json.text, action: json.text, times: json.count }),
});
const notice = json.like<Told>()(
  v.strictObject({
    key: json.described(json.text, 'The same whenever it is made again.'),
    seq: json.described(json.count, 'The line of the log that it comes from; 0: it stands in no log.'),
    taskId: json.text,
    text: json.text,
    from: json.maybe(json.text),
    card: json.maybe(v.strictObject({ title: json.text, lines: json.texts, buttons: v.array(button) })),
  }),
);
const heard = {
  ...wanted,
  outcome,
  reply: json.described(json.text, 'The answer, in one to three lines.'),
  notices: json.described(v.array(notice), 'What others are told.'),
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
