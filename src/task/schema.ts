/** The core model as schemas. Who checks no input imports the types only, so that valibot is loaded by few commands. */
import * as v from 'valibot';
import { attemptData, attemptSchema } from './attempt.ts';
import { units } from './caps.ts';
import { deliverySchema } from './delivery.ts';
import { idPattern, isBuiltIn } from './id.ts';
import { leaseSchema, termLease } from './lease.ts';
import { linkFields } from './link.ts';
import { anyJson, count, jsonObject, nonEmpty, positive, time as timeSchema } from './parts.ts';
import { runData, runSchema } from './run.ts';
import { sources } from './trust.ts';
import { usedSchema } from './used-schema.ts';

export type { Lease, ProcessLease, TermLease } from './lease.ts';

export const taskIdSchema = v.pipe(
  v.string(),
  v.maxLength(128),
  v.regex(idPattern, 'an id may hold letters, digits, "_" and "-" only'),
  v.check((id) => !isBuiltIn(id), 'this word is taken by JavaScript itself; choose another id'),
);

/** Text that is too long for a journal line lives in the blob store and is named by its hash. */
const textSchema = v.union([
  v.string(),
  v.strictObject({ blob: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)), bytes: count }),
]);

const specSchema = v.strictObject({
  body: textSchema,
  workflow: v.exactOptional(nonEmpty),
  workspace: v.exactOptional(
    v.variant('kind', [
      v.strictObject({ kind: v.literal('inplace') }),
      v.strictObject({ kind: v.literal('clone'), path: v.exactOptional(nonEmpty) }),
      v.strictObject({
        kind: v.literal('worktree'),
        path: v.exactOptional(nonEmpty),
      }),
    ]),
  ),
  scope: v.exactOptional(v.strictObject({ allow: v.array(v.string()), deny: v.array(v.string()) })),
  acceptance: v.exactOptional(
    v.strictObject({ commands: v.array(v.array(v.string())), criteria: v.array(v.string()) }),
  ),
  budget: v.exactOptional(
    v.strictObject({
      calls: v.exactOptional(positive),
      tokens: v.exactOptional(positive),
      money: v.exactOptional(v.pipe(v.number(), v.gtValue(0))),
      seconds: v.exactOptional(v.pipe(v.number(), v.gtValue(0))),
    }),
  ),
  routing: v.exactOptional(
    v.strictObject({
      role: v.exactOptional(v.string()),
      agent: v.exactOptional(v.string()),
      provider: v.exactOptional(v.string()),
    }),
  ),
});
export type Spec = v.InferOutput<typeof specSchema>;
export type Text = v.InferOutput<typeof textSchema>;

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
const reasonSchema = v.strictObject({
  kind: v.picklist(blockKinds),
  text: nonEmpty,
  /** Who must act: a person's name, a role, or "docket" when it goes on by itself. */
  who: nonEmpty,
  resumesAt: v.exactOptional(timeSchema),
  /** Whose limit or outage it is: it goes on when that one can be asked again. */
  provider: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  /** A merge into this branch holds it, and nothing else: its work is proved, and waits on its own branch. */
  merge: v.exactOptional(v.strictObject({ into: nonEmpty })),
  /** Which cap is used up, and how much was used then: it goes on when that one has room again. */
  cap: v.exactOptional(
    v.strictObject({
      /** In the words of the settings: `day`, `user.day`, `providers.claude`; `own`: the task's. */
      scope: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
      unit: v.picklist(units),
      used: v.number(),
      /** Nothing is used up, but nobody knows the price of these calls: it goes on when somebody does, or no money is capped. */
      unpriced: v.exactOptional(
        v.strictObject({
          agent: v.pipe(v.string(), v.maxLength(300)),
          provider: v.pipe(v.string(), v.maxLength(300)),
          model: v.exactOptional(v.pipe(v.string(), v.maxLength(300))),
        }),
      ),
    }),
  ),
});
export type BlockReason = v.InferOutput<typeof reasonSchema>;

const failureSchema = v.strictObject({
  error: nonEmpty,
  step: v.exactOptional(v.string()),
  lastMessage: v.exactOptional(v.string()),
});
export type Failure = v.InferOutput<typeof failureSchema>;

const verdictSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('pass'), evidence: v.exactOptional(v.array(v.string())) }),
  v.strictObject({ kind: v.literal('retry'), reason: nonEmpty }),
  v.strictObject({ kind: v.literal('hold'), reason: reasonSchema }),
  v.strictObject({ kind: v.literal('fail'), reason: nonEmpty }),
]);
export type Verdict = v.InferOutput<typeof verdictSchema>;

/** Whose words a task is made of, by what docket itself saw, and whether they are vouched for. No text can say it. */
const trustSchema = v.strictObject({
  level: v.picklist(['high', 'low']),
  source: v.picklist(sources),
  author: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  /** The person who decided about the level since. */
  by: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
});
export type Trust = v.InferOutput<typeof trustSchema>;

/** What every task has, whatever its status. */
const card = v.strictObject({
  id: taskIdSchema,
  /** The seq of the last event that changed this task: what a writer must have seen. */
  rev: positive,
  title: nonEmpty,
  spec: specSchema,
  priority: v.pipe(v.number(), v.integer(), v.minValue(-100), v.maxValue(100)),
  needs: v.array(taskIdSchema),
  createdAt: timeSchema,
  createdBy: v.string(),
  updatedAt: timeSchema,
  /** When it last became ready to be picked: ageing counts from here. */
  queuedAt: timeSchema,
  owner: v.exactOptional(nonEmpty),
  parent: v.exactOptional(taskIdSchema),
  relatedTo: v.exactOptional(taskIdSchema),
  ...linkFields,
  /** Absent: a person's own words. */
  trust: v.exactOptional(trustSchema),
  /** Absent: nothing was delivered yet, or an older docket wrote it down elsewhere. */
  delivery: v.exactOptional(deliverySchema),
  extras: v.record(v.string(), jsonObject),
  /** The latest attempt of each step. */
  attempts: v.exactOptional(v.record(v.string(), attemptSchema)),
  run: v.exactOptional(runSchema),
  /** By all of its agents, in all of its runs. */
  used: v.exactOptional(usedSchema),
  archivedAt: v.exactOptional(timeSchema),
  removedAt: v.exactOptional(timeSchema),
});
/** A claim: who holds the task, and the fencing token (the seq of the claiming event) their writes carry. */
const claimed = {
  owner: nonEmpty,
  lease: leaseSchema,
  token: positive,
};

export const taskSchema = v.variant('status', [
  v.strictObject({
    ...card.entries,
    status: v.literal('queued'),
    lease: v.exactOptional(leaseSchema),
    token: v.exactOptional(positive),
  }),
  v.strictObject({ ...card.entries, status: v.literal('running'), startedAt: timeSchema, ...claimed }),
  v.strictObject({
    ...card.entries,
    status: v.literal('review'),
    startedAt: timeSchema,
    summary: v.string(),
    ...claimed,
  }),
  v.strictObject({
    ...card.entries,
    status: v.literal('blocked'),
    startedAt: v.exactOptional(timeSchema),
    reason: reasonSchema,
  }),
  v.strictObject({
    ...card.entries,
    status: v.literal('done'),
    startedAt: timeSchema,
    finishedAt: timeSchema,
    summary: v.string(),
    /** A file or another tool says that it is done; docket has no evidence for it. */
    unproved: v.exactOptional(v.literal(true)),
  }),
  v.strictObject({
    ...card.entries,
    status: v.literal('failed'),
    startedAt: v.exactOptional(timeSchema),
    finishedAt: timeSchema,
    failure: failureSchema,
  }),
  v.strictObject({
    ...card.entries,
    status: v.literal('canceled'),
    finishedAt: timeSchema,
    canceledBecause: v.string(),
  }),
]);
export type Task = v.InferOutput<typeof taskSchema>;
export type TaskOf<S extends Task['status']> = Extract<Task, { status: S }>;
export type Card = v.InferOutput<typeof card>;

/** What an edit may change. A key that is absent stays as it is. */
const editable = v.strictObject({
  title: v.exactOptional(nonEmpty),
  spec: v.exactOptional(specSchema),
  priority: v.exactOptional(card.entries.priority),
  needs: v.exactOptional(card.entries.needs),
  trust: card.entries.trust,
  doneBy: card.entries.doneBy,
  delivery: card.entries.delivery,
  extras: v.exactOptional(card.entries.extras),
});
export type Edit = v.InferOutput<typeof editable>;

/** `when` is the time of the fact itself where it is older than its event (an imported record). */
const when = { when: v.exactOptional(timeSchema) };
const about = { taskId: taskIdSchema, by: nonEmpty };
const event = <T extends string, D extends v.ObjectEntries>(type: T, data: D) =>
  v.strictObject({ type: v.literal(type), ...about, data: v.strictObject(data) });

export const newEventSchema = v.variant('type', [
  event('task.created', {
    title: nonEmpty,
    spec: specSchema,
    priority: v.exactOptional(card.entries.priority),
    needs: v.exactOptional(card.entries.needs),
    parent: v.exactOptional(taskIdSchema),
    relatedTo: v.exactOptional(taskIdSchema),
    standsFor: card.entries.standsFor,
    trust: card.entries.trust,
    extras: v.exactOptional(card.entries.extras),
    ...when,
  }),
  event('task.edited', { set: editable }),
  event('task.claimed', { owner: nonEmpty, lease: termLease }),
  event('task.released', { reason: v.string() }),
  event('task.renewed', { until: timeSchema }),
  event('task.started', { owner: nonEmpty, lease: leaseSchema, ...when }),
  event('task.submitted', { summary: v.string() }),
  event('task.returned', { reason: v.string() }),
  event('task.done', { summary: v.string(), verdict: verdictSchema, ...when }),
  event('task.blocked', { reason: reasonSchema }),
  /** `lost`: its worker is gone, and nobody saw why. */
  event('task.requeued', { reason: v.string(), lost: v.exactOptional(v.literal(true)) }),
  event('task.failed', { failure: failureSchema, ...when }),
  event('task.canceled', { reason: v.string(), ...when }),
  event('task.reopened', { reason: v.string() }),
  event('task.archived', {}),
  event('task.removed', { reason: v.string() }),
  event('task.restored', { reason: v.string() }),
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
  event('note', { type: v.string(), payload: anyJson }),
]);
export type NewEvent = v.InferOutput<typeof newEventSchema>;

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
