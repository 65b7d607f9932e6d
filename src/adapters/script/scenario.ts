import { z } from 'zod';

/** A scenario: what the scripted agent answers and does. docs/script-agent.md tells it to people. */
const text = z.string();
const path = z.string().min(1).max(1000);
const seconds = z.number().min(0).max(86_400);
const count = z.int().min(0);

const edit = z.union([
  z.strictObject({ path, write: text }),
  z.strictObject({ path, append: text }),
  z.strictObject({ path, replace: z.string().min(1), with: text }),
  z.strictObject({ path, delete: z.literal(true) }),
]);

const limit = z.union([
  z.strictObject({ text: z.string().min(1) }),
  z.strictObject({ resetsAt: z.union([z.int().positive(), z.string().min(1)]) }),
  z.strictObject({ in: seconds }),
]);

/** One thing to do; each is an object with one key, so that a list of them reads like a story. */
export const stepShapes = {
  say: z.strictObject({ say: text }),
  edit: z.strictObject({ edit }),
  run: z.strictObject({ run: z.union([z.string().min(1), z.array(z.string()).min(1)]) }),
  wait: z.strictObject({ wait: seconds }),
  report: z.strictObject({ report: z.record(z.string(), z.json()) }),
  usage: z.strictObject({
    usage: z.strictObject({
      input: count,
      output: count,
      cached: count.default(0),
      cost: z.number().min(0).exactOptional(),
    }),
  }),
  exit: z.strictObject({ exit: z.int().min(0).max(255) }),
  die: z.strictObject({ die: z.literal(true) }),
  hang: z.strictObject({ hang: z.literal(true) }),
  limit: z.strictObject({ limit }),
  garbage: z.strictObject({ garbage: z.union([z.literal(true), z.int().min(1).max(1_000_000_000)]) }),
  silence: z.strictObject({ silence: z.literal(true) }),
} as const;

const step = z.union(Object.values(stepShapes));
export type Step = z.infer<typeof step>;

export const ruleKeys = ['when', 'seen', 'step', 'attempt', 'steps', 'turns'];

/** `steps` at every turn, or `turns`: the first time, the second time …; the last one stays. */
const rule = z
  .strictObject({
    when: z.string().min(1).exactOptional(),
    seen: z.string().min(1).exactOptional(),
    step: z.string().min(1).exactOptional(),
    attempt: z.int().positive().exactOptional(),
    steps: z.array(step).exactOptional(),
    turns: z.array(z.array(step)).min(1).exactOptional(),
  })
  .refine(
    ({ steps, turns }) => (steps === undefined) !== (turns === undefined),
    'needs either "steps" or "turns"',
  );
export type ScriptRule = z.infer<typeof rule>;

export const scenarioKeys = ['version', 'rules'];

export const scenarioSchema = z.strictObject({
  version: z.literal(1).default(1),
  rules: z.array(rule).min(1),
});
export type Scenario = z.infer<typeof scenarioSchema>;
