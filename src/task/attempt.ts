/** One call of an agent for a step, as the task remembers it; the journal has all of them. */
import { z } from 'zod';
import { markSchema } from './trail-schema.ts';
import { usedSchema } from './used-schema.ts';

const time = z.iso.datetime({ offset: true });
const json = z.record(z.string(), z.json());
/** What an agent may be known by in file names and environments. */
const mark = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const usage = z.strictObject({
  input: z.number().nonnegative(),
  cached: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** US dollars. */
  cost: z.number().nonnegative().exactOptional(),
});

const begun = {
  n: z.int().positive(),
  step: z.string().min(1),
  agent: z.string().min(1),
  adapter: z.string().min(1),
  /** Where it works, from the root. */
  cwd: z.string().exactOptional(),
  /** Every process of this attempt carries it: what a later docket finds them by. */
  mark,
  /** The vendor's conversation: known before the start where the vendor lets us choose, else from its first event. */
  session: z.string().min(1).max(512).exactOptional(),
};

const ended = {
  /** ok: the agent ended well, whatever its report says. stopped: we ended it. lost: nobody saw it end. */
  outcome: z.enum(['ok', 'failed', 'stopped', 'lost']),
  error: z
    .strictObject({
      class: z.string().min(1),
      message: z.string(),
      status: z.int().exactOptional(),
      resetAt: time.exactOptional(),
    })
    .exactOptional(),
  /** Of this attempt alone. Absent is unknown, never nothing. */
  usage: usage.exactOptional(),
  /** The vendor's count over the whole session, for the next attempt to subtract. */
  sessionUsage: usage.exactOptional(),
  /** The next attempt must not continue this session. */
  poisoned: z.literal(true).exactOptional(),
  /** What it tried and was kept from. */
  denied: z.array(z.string().max(300)).max(20).exactOptional(),
  /** It was written down, and its agent never called: docket died before. */
  uncalled: z.literal(true).exactOptional(),
};

const end = z.strictObject({ at: time, ...ended }).exactOptional();

export const attemptSchema = z.strictObject({
  ...begun,
  startedAt: time,
  /** By all attempts of this step that have ended. */
  used: usedSchema.exactOptional(),
  end,
  /** The last one whose agent was called, until it is known that this one's was: else the step goes on from there. */
  before: z.strictObject({ agent: begun.agent, session: begun.session, end }).exactOptional(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** The data of the three events about an attempt. */
export const attemptData = {
  started: begun,
  session: { n: begun.n, step: begun.step, session: z.string().min(1).max(512) },
  ended: {
    n: begun.n,
    step: begun.step,
    ...ended,
    report: json.exactOptional(),
    /** Of a try that is made once more. */
    mark: markSchema.exactOptional(),
  },
};
