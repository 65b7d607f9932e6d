import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { Move, Outcome, RefusalCode, TaskView } from '../../../render/board/outcome.ts';
import { count, flag, like, text, time } from './parts.ts';

type Details = Extract<Awaited<ReturnType<App['show']>>, { kind: 'board' }>['details'];
const orNull = text.nullable();

/** What an answer says of a task of the board. */
const viewFields = {
  taskId: text,
  title: text,
  status: text.describe(
    'In the words of the board: pending, claimed, in_progress, review, done, blocked, failed.',
  ),
  owner: orNull,
  assigneeHint: text.describe('Who it is meant for.'),
  updatedAt: time,
  blockedReason: orNull,
  result: orNull,
  review: orNull,
  relatedTo: orNull,
};
/** An answer may have the whole record. */
const recordFields = { createdBy: text, createdAt: time, projectId: orNull, history: z.array(text) };

export const boardRecord = like<Details['record']>()(
  z.strictObject({
    ...viewFields,
    status: z.enum(['pending', 'claimed', 'in_progress', 'review', 'done', 'blocked', 'failed']),
    ...recordFields,
  }),
);
const boardTask = like<TaskView>()(
  z
    .strictObject({ ...viewFields, ...z.strictObject(recordFields).partial().shape })
    .meta({ id: 'boardTask', description: 'A task as the board shows it.' }),
);
const boardTasks = z.array(boardTask);

const move = z.enum([
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

const refusalCode = z.enum([
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

const opt = <S extends z.ZodType>(schema: S) => schema.exactOptional();
const one = <K extends Outcome['kind'], S extends z.ZodRawShape>(kind: K, fields: S) =>
  z.strictObject({ kind: z.literal(kind), ...fields });
const given = { agent: text, decision: text, detail: text };

/** What came of a message. A project that was started tells of its first task in the same words. */
export const outcome: z.ZodType<Outcome> = z
  .discriminatedUnion('kind', [
    one('moved', { move, task: boardTask, text: opt(text), other: opt(text) }),
    one('refused', {
      code: refusalCode,
      intent: text,
      taskId: opt(text),
      status: opt(text),
      holder: opt(text),
      until: opt(text),
      detail: opt(text),
      allowed: opt(z.array(text)).describe('Intents that are possible now.'),
    }),
    one('already', { move, task: boardTask }),
    one('help', {}),
    one('status', {
      summary: z.strictObject({ counts: z.record(text, count), blocked: boardTasks, open: boardTasks }),
      full: opt(flag),
    }),
    one('task', { task: boardTask }),
    one('synthesis', { report: text }),
    one('dispatched', {
      task: boardTask,
      agent: text,
      mode: z.enum(['manual', 'spawn']),
      ended: opt(z.strictObject({ decision: z.enum(['done', 'blocked', 'stopped', 'lost']), detail: text })),
    }),
    one('nothing_to_run', {}),
    one('autopilot', {
      maxSteps: count,
      stepsRun: count,
      done: count,
      blocked: count,
      manual: count,
      stopReason: z.enum([
        'no_runnable_task',
        'max_steps_reached',
        'dispatch_failed',
        'invalid_task',
        'stopped',
      ]),
      steps: opt(z.array(z.strictObject({ taskId: text, ...given }))),
    }),
    one('autopilot_ordered', { steps: count }),
    one('auto_progress', { enabled: flag, maxSteps: count }),
    one('project_created', { name: text, count }),
    one('project_started', {
      name: text,
      count,
      document: opt(text),
      again: opt(flag),
      path: opt(text),
      taskIds: opt(z.array(text)),
      first: opt(z.lazy(() => outcome)),
    }),
    one('bad_path', { path: text }),
    one('clarified', { taskId: text, role: text, question: text }),
    one('throttled', { taskId: text, role: text, retryAfterSec: z.number() }),
    one('report_without_id', {}),
    one('unknown', { raw: text, suggestion: opt(text) }),
    one('silent', {}),
  ])
  .meta({ id: 'outcome', description: 'What came of it.' });
