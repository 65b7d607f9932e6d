/**
 * The core model as zod schemas, and the types they infer. Everything that is not checking input
 * imports the types only, so that zod is loaded by the commands that need it and by no others.
 */
import { z } from 'zod';
import { attemptData, attemptSchema } from './attempt.ts';
import { units } from './caps.ts';
import { deliverySchema } from './delivery.ts';
import { idPattern, isBuiltIn } from './id.ts';
import { linkFields } from './link.ts';
import { runData, runSchema } from './run.ts';
import { sources } from './trust.ts';
import { usedSchema } from './used-schema.ts';

export const taskIdSchema = z
  .string()
  .max(128)
  .regex(idPattern, 'an id may hold letters, digits, "_" and "-" only')
  .refine((id) => !isBuiltIn(id), 'this word is taken by JavaScript itself; choose another id');
const timeSchema = z.iso.datetime({ offset: true });
const jsonObject = z.record(z.string(), z.json());

/** Text that is too long for a journal line lives in the blob store and is named by its hash. */
const textSchema = z.union([
  z.string(),
  z.strictObject({ blob: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().nonnegative() }),
]);

const specSchema = z.strictObject({
  body: textSchema,
  workflow: z.string().min(1).exactOptional(),
  workspace: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('inplace') }),
      z.strictObject({ kind: z.literal('clone'), path: z.string().min(1).exactOptional() }),
      z.strictObject({ kind: z.literal('worktree'), path: z.string().min(1).exactOptional() }),
    ])
    .exactOptional(),
  scope: z.strictObject({ allow: z.array(z.string()), deny: z.array(z.string()) }).exactOptional(),
  acceptance: z
    .strictObject({ commands: z.array(z.array(z.string())), criteria: z.array(z.string()) })
    .exactOptional(),
  budget: z
    .strictObject({
      calls: z.int().positive().exactOptional(),
      tokens: z.int().positive().exactOptional(),
      money: z.number().positive().exactOptional(),
      seconds: z.number().positive().exactOptional(),
    })
    .exactOptional(),
  routing: z
    .strictObject({
      role: z.string().exactOptional(),
      agent: z.string().exactOptional(),
      provider: z.string().exactOptional(),
    })
    .exactOptional(),
});
export type Spec = z.infer<typeof specSchema>;
export type Text = z.infer<typeof textSchema>;

export const blockKinds = [
  'gate',
  'limit',
  'dependency',
  'budget',
  'auth',
  'setup',
  'scope',
  'verify',
  'conflict',
  'stall',
  'crash',
  'provider',
  'refused',
  'loop',
] as const;
const reasonSchema = z.strictObject({
  kind: z.enum(blockKinds),
  text: z.string().min(1),
  /** Who must act: a person's name, a role, or "docket" when it goes on by itself. */
  who: z.string().min(1),
  resumesAt: timeSchema.exactOptional(),
  /** Whose limit or outage it is: it goes on when that one can be asked again. */
  provider: z.string().min(1).max(200).exactOptional(),
  /** Which cap is used up, and how much was used then: it goes on when that one has room again. */
  cap: z
    .strictObject({
      /** In the words of the settings: `day`, `user.day`, `providers.claude`; `own`: the task's. */
      scope: z.string().min(1).max(300),
      unit: z.enum(units),
      used: z.number(),
      /** Nothing is used up, but nobody knows the price of these calls: it goes on when somebody does, or no money is capped. */
      unpriced: z
        .strictObject({
          agent: z.string().max(300),
          provider: z.string().max(300),
          model: z.string().max(300).exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
});
export type BlockReason = z.infer<typeof reasonSchema>;

const failureSchema = z.strictObject({
  error: z.string().min(1),
  step: z.string().exactOptional(),
  lastMessage: z.string().exactOptional(),
});
export type Failure = z.infer<typeof failureSchema>;

const verdictSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pass'), evidence: z.array(z.string()).exactOptional() }),
  z.strictObject({ kind: z.literal('retry'), reason: z.string().min(1) }),
  z.strictObject({ kind: z.literal('hold'), reason: reasonSchema }),
  z.strictObject({ kind: z.literal('fail'), reason: z.string().min(1) }),
]);
export type Verdict = z.infer<typeof verdictSchema>;

const processLease = z.strictObject({
  kind: z.literal('process'),
  host: z.string(),
  pid: z.int().positive(),
  /** Start time and boot id tell a reused pid from the process that claimed. */
  startTime: z.string(),
  bootId: z.string(),
});
const termLease = z.strictObject({ kind: z.literal('term'), until: timeSchema });
const leaseSchema = z.discriminatedUnion('kind', [processLease, termLease]);
export type Lease = z.infer<typeof leaseSchema>;
export type ProcessLease = z.infer<typeof processLease>;
export type TermLease = z.infer<typeof termLease>;

/** Whose words a task is made of, by what docket itself saw, and whether they are vouched for. No text can say it. */
const trustSchema = z.strictObject({
  level: z.enum(['high', 'low']),
  source: z.enum(sources),
  author: z.string().min(1).max(200).exactOptional(),
  /** The person who decided about the level since. */
  by: z.string().min(1).max(200).exactOptional(),
});
export type Trust = z.infer<typeof trustSchema>;

/** What every task has, whatever its status. */
const card = z.strictObject({
  id: taskIdSchema,
  /** The seq of the last event that changed this task: what a writer must have seen. */
  rev: z.int().positive(),
  title: z.string().min(1),
  spec: specSchema,
  priority: z.int().min(-100).max(100),
  needs: z.array(taskIdSchema),
  createdAt: timeSchema,
  createdBy: z.string(),
  updatedAt: timeSchema,
  /** When it last became ready to be picked: ageing counts from here. */
  queuedAt: timeSchema,
  owner: z.string().min(1).exactOptional(),
  parent: taskIdSchema.exactOptional(),
  relatedTo: taskIdSchema.exactOptional(),
  ...linkFields,
  /** Absent: a person's own words. */
  trust: trustSchema.exactOptional(),
  /** Absent: nothing was delivered yet, or an older docket wrote it down elsewhere. */
  delivery: deliverySchema.exactOptional(),
  extras: z.record(z.string(), jsonObject),
  /** The latest attempt of each step. */
  attempts: z.record(z.string(), attemptSchema).exactOptional(),
  run: runSchema.exactOptional(),
  /** By all of its agents, in all of its runs. */
  used: usedSchema.exactOptional(),
  archivedAt: timeSchema.exactOptional(),
  removedAt: timeSchema.exactOptional(),
});
/** A claim: who holds the task, and the fencing token (the seq of the claiming event) their writes carry. */
const claimed = { owner: z.string().min(1), lease: leaseSchema, token: z.int().positive() };

export const taskSchema = z.discriminatedUnion('status', [
  card.extend({
    status: z.literal('queued'),
    lease: leaseSchema.exactOptional(),
    token: z.int().positive().exactOptional(),
  }),
  card.extend({ status: z.literal('running'), startedAt: timeSchema, ...claimed }),
  card.extend({ status: z.literal('review'), startedAt: timeSchema, summary: z.string(), ...claimed }),
  card.extend({ status: z.literal('blocked'), startedAt: timeSchema.exactOptional(), reason: reasonSchema }),
  card.extend({
    status: z.literal('done'),
    startedAt: timeSchema,
    finishedAt: timeSchema,
    summary: z.string(),
    /** A file or another tool says that it is done; docket has no evidence for it. */
    unproved: z.literal(true).exactOptional(),
  }),
  card.extend({
    status: z.literal('failed'),
    startedAt: timeSchema.exactOptional(),
    finishedAt: timeSchema,
    failure: failureSchema,
  }),
  card.extend({ status: z.literal('canceled'), finishedAt: timeSchema, canceledBecause: z.string() }),
]);
export type Task = z.infer<typeof taskSchema>;
export type TaskOf<S extends Task['status']> = Extract<Task, { status: S }>;
export type Card = z.infer<typeof card>;

/** What an edit may change. A key that is absent stays as it is. */
const editable = z.strictObject({
  title: z.string().min(1).exactOptional(),
  spec: specSchema.exactOptional(),
  priority: card.shape.priority.exactOptional(),
  needs: card.shape.needs.exactOptional(),
  trust: card.shape.trust,
  doneBy: card.shape.doneBy,
  delivery: card.shape.delivery,
  extras: card.shape.extras.exactOptional(),
});
export type Edit = z.infer<typeof editable>;

/** `when` is the time of the fact itself where it is older than its event (an imported record). */
const when = { when: timeSchema.exactOptional() };
const about = { taskId: taskIdSchema, by: z.string().min(1) };
const event = <T extends string, D extends z.ZodRawShape>(type: T, data: D) =>
  z.strictObject({ type: z.literal(type), ...about, data: z.strictObject(data) });

export const newEventSchema = z.discriminatedUnion('type', [
  event('task.created', {
    title: z.string().min(1),
    spec: specSchema,
    priority: card.shape.priority.exactOptional(),
    needs: card.shape.needs.exactOptional(),
    parent: taskIdSchema.exactOptional(),
    relatedTo: taskIdSchema.exactOptional(),
    standsFor: card.shape.standsFor,
    trust: card.shape.trust,
    extras: card.shape.extras.exactOptional(),
    ...when,
  }),
  event('task.edited', { set: editable }),
  event('task.claimed', { owner: z.string().min(1), lease: termLease }),
  event('task.released', { reason: z.string() }),
  event('task.renewed', { until: timeSchema }),
  event('task.started', { owner: z.string().min(1), lease: leaseSchema, ...when }),
  event('task.submitted', { summary: z.string() }),
  event('task.returned', { reason: z.string() }),
  event('task.done', { summary: z.string(), verdict: verdictSchema, ...when }),
  event('task.blocked', { reason: reasonSchema }),
  /** `lost`: its worker is gone, and nobody saw why. */
  event('task.requeued', { reason: z.string(), lost: z.literal(true).exactOptional() }),
  event('task.failed', { failure: failureSchema, ...when }),
  event('task.canceled', { reason: z.string(), ...when }),
  event('task.reopened', { reason: z.string() }),
  event('task.archived', {}),
  event('task.removed', { reason: z.string() }),
  event('task.restored', { reason: z.string() }),
  /** The whole task as it was, at the start of a log that goes on from another one. */
  event('task.carried', { task: jsonObject }),
  event('attempt.started', attemptData.started),
  event('attempt.session', attemptData.session),
  event('attempt.ended', attemptData.ended),
  event('run.started', runData.started),
  event('run.joined', runData.joined),
  event('step.ended', runData.stepEnded),
  event('step.reopened', runData.stepReopened),
  event('gate.opened', runData.gateOpened),
  event('gate.answered', runData.gateAnswered),
  /** A line that a layout or another tool wrote into a log of its own. It changes nothing. */
  event('note', { type: z.string(), payload: z.json() }),
]);
export type NewEvent = z.infer<typeof newEventSchema>;

/** A fact in the journal; never edited. `more` counts the events of the same transaction that follow. */
interface Stamp {
  v: 1;
  seq: number;
  at: string;
  key?: string;
  /** Of all that was asked for with the key: the same key with other words is another request. */
  digest?: string;
  more?: number;
  /** Its own name, in a log that gives one to every line. */
  id?: string;
}
export type Event = NewEvent & Stamp;
export type EventOf<T extends NewEvent['type']> = Extract<Event, { type: T }>;
