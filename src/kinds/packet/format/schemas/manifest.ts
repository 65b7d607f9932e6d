import { z } from 'zod';
import { isProfileName, optionsOf, timeoutModes } from '../config/words.ts';
import { blankness, idProblem, outsideBecause, patternProblem } from '../manifest-values.ts';
import { digestPolicies, retentions } from '../manifest.ts';
import { packetIdPattern } from '../name.ts';

/** `manifest.yaml` as it may be written. A key without a value is as good as none, where it may be left out. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().optional();
const without = (problem: (text: string) => string | undefined) =>
  z
    .string()
    .min(1)
    .refine((text) => problem(text) === undefined, {
      error: ({ input }) => problem(input as string) ?? '',
    });
const texts = (problem: (text: string) => string | undefined) => z.array(without(problem));
const amount = z.int().min(0);
const profile = z.string().min(1).refine(isProfileName, 'is no name of a profile');

const pipeline = z.strictObject({
  profile: maybe(profile.describe('Another profile of the same group.')),
  flags: maybe(
    z.strictObject({
      enable_brief: maybe(z.boolean()),
      enable_verify: maybe(z.boolean()),
      enable_review: maybe(z.boolean()),
    }),
  ),
  options: maybe(
    z.strictObject({
      impl_mode: maybe(z.enum(optionsOf.impl.impl_mode)),
      review_mode: maybe(z.enum(optionsOf.review.review_mode)),
      timeout_mode: maybe(z.enum(timeoutModes).describe('wait_done: nobody ends a call that takes long.')),
    }),
  ),
});

export const manifestSchema = z.strictObject({
  task_id: z
    .union([
      z
        .string()
        .regex(packetIdPattern)
        .refine((id) => idProblem(id) === undefined),
      z.int().min(0),
    ])
    .describe("The packet's name; its folder has the same."),
  goal: without(blankness).describe('What is to be done, in one sentence.'),
  routing: z.strictObject({
    intent: profile.describe(
      'A profile: safe_impl, one_shot_impl, design_only, review_only, review_cross, post_impl_review, or your own.',
    ),
    model: maybe(
      z
        .strictObject({
          codex: maybe(z.string().min(1)),
          gemini: maybe(z.string().min(1)),
          copilot: maybe(z.string().min(1)),
        })
        .describe("Models for all stages of a tool; each must be one of the tool's allowed_models."),
    ),
    pipeline: maybe(pipeline),
  }),
  scope: z.strictObject({
    allow: texts(outsideBecause).describe('Paths that may be changed, from the root. None: nothing may.'),
    deny: texts(outsideBecause).describe('Paths that must stay as they are, whatever "allow" says.'),
  }),
  acceptance: z.strictObject({
    commands: texts(blankness).describe('Shell commands that must succeed.'),
    criteria: texts(blankness).describe('What people look at.'),
  }),
  budgets: z.strictObject({
    retry_budget: amount.describe('Retries of the same error.'),
    paid_call_budget: amount.describe('Calls of agents, all stages together.'),
    max_wallclock_sec: amount.describe("Seconds of one call; 0 leaves it to the tool's timeout_ms."),
    tokens: maybe(amount.describe('Tokens, all calls together. Without it there is no cap.')),
    cost_usd: maybe(
      z.number().min(0).describe('US dollars, all calls together. Without it there is no cap.'),
    ),
  }),
  context: z.strictObject({
    digest_policy: z
      .union([z.enum(digestPolicies), z.literal(false)])
      .describe('Whether agents get the context pack shortened. false: off, as YAML 1.1 writes it.'),
  }),
  security: maybe(
    z.strictObject({
      redaction_patterns: maybe(texts(patternProblem).describe('Regular expressions of JavaScript.')),
      forbidden_paths: maybe(texts(outsideBecause).describe('Paths that no input may hold.')),
    }),
  ),
  retention: maybe(z.enum(retentions).describe('What becomes of it when old packets are cleared away.')),
  security_review_mode: z.unknown().optional(),
  security_sensitive: z.unknown().optional(),
});
