import * as v from 'valibot';
import { jsonObject, nonEmpty, positive } from './parts.ts';
import { markSchema } from './trail-schema.ts';
import { usedSchema } from './used-schema.ts';

/** One call of an agent for a step, as the task remembers it; the journal has all of them. */
const time = v.pipe(v.string(), v.isoTimestamp());
/** What an agent may be known by in file names and environments. */
const mark = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/));

const usage = v.strictObject({
  input: v.pipe(v.number(), v.minValue(0)),
  cached: v.pipe(v.number(), v.minValue(0)),
  output: v.pipe(v.number(), v.minValue(0)),
  /** US dollars. */
  cost: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
});

const begun = {
  n: positive,
  step: nonEmpty,
  agent: nonEmpty,
  adapter: nonEmpty,
  /** Where it works, from the root. */
  cwd: v.exactOptional(v.string()),
  /** Every process of this attempt carries it: what a later docket finds them by. */
  mark,
  /** The vendor's conversation: known before the start where the vendor lets us choose, else from its first event. */
  session: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(512))),
};

const ended = {
  /** ok: the agent ended well, whatever its report says. stopped: we ended it. lost: nobody saw it end. */
  outcome: v.picklist(['ok', 'failed', 'stopped', 'lost']),
  error: v.exactOptional(
    v.strictObject({
      class: nonEmpty,
      message: v.string(),
      status: v.exactOptional(v.pipe(v.number(), v.integer())),
      resetAt: v.exactOptional(time),
    }),
  ),
  /** Of this attempt alone. Absent is unknown, never nothing. */
  usage: v.exactOptional(usage),
  /** The vendor's count over the whole session, for the next attempt to subtract. */
  sessionUsage: v.exactOptional(usage),
  /** The next attempt must not continue this session. */
  poisoned: v.exactOptional(v.literal(true)),
  /** What it tried and was kept from. */
  denied: v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(300))), v.maxLength(20))),
  /** It was written down, and its agent never called: docket died before. */
  uncalled: v.exactOptional(v.literal(true)),
};

const end = v.exactOptional(v.strictObject({ at: time, ...ended }));

export const attemptSchema = v.strictObject({
  ...begun,
  startedAt: time,
  /** By all attempts of this step that have ended. */
  used: v.exactOptional(usedSchema),
  end,
  /** The last one whose agent was called, until it is known that this one's was: else the step goes on from there. */
  before: v.exactOptional(v.strictObject({ agent: begun.agent, session: begun.session, end })),
});
export type Attempt = v.InferOutput<typeof attemptSchema>;

/** The data of the three events about an attempt. */
export const attemptData = {
  started: begun,
  session: { n: begun.n, step: begun.step, session: v.pipe(v.string(), v.minLength(1), v.maxLength(512)) },
  ended: {
    n: begun.n,
    step: begun.step,
    ...ended,
    report: v.exactOptional(jsonObject),
    /** Of a try that is made once more. */
    mark: v.exactOptional(markSchema),
  },
};

/** What is known of a call of an agent. */
export type Called = NonNullable<Attempt['before']>;

/**
 * The step's latest attempt whose agent was called, as far as is known. One that was written down and then not made (its
 * provider was left alone meanwhile, or docket died) leaves the step, and its conversation, where it was.
 */
export function lastCall(task: { attempts?: Record<string, Attempt> }, step: string): Called | undefined {
  const latest = task.attempts?.[step];
  return latest?.end?.uncalled ? latest.before : latest;
}
