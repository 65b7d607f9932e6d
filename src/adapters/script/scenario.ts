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
type ScriptRule = z.infer<typeof rule>;

export const scenarioKeys = ['version', 'rules'];

export const scenarioSchema = z.strictObject({
  version: z.literal(1).default(1),
  rules: z.array(rule).min(1),
});
export type Scenario = z.infer<typeof scenarioSchema>;

/** One turn of a session, as far as rules look at it. */
export interface PastTurn {
  prompt: string;
  step: string;
  attempt: number;
}

/** A text that must occur, or `/a pattern/flags`. A string: why the pattern is none. */
export function patternOf(words: string): ((prompt: string) => boolean) | string {
  const written = /^\/(.+)\/([a-z]*)$/s.exec(words);
  if (!written) return (prompt) => prompt.includes(words);
  try {
    const pattern = new RegExp(written[1] ?? '', (written[2] ?? '').replaceAll(/[gy]/g, ''));
    return (prompt) => pattern.test(prompt);
  } catch (error) {
    return (error as Error).message;
  }
}

/** A rule without a condition: it is for what no other rule is for. */
export function isDefault({ when, seen, step, attempt }: ScriptRule): boolean {
  return when === undefined && seen === undefined && step === undefined && attempt === undefined;
}

/**
 * What to do in the last turn of a session: by the first rule whose conditions hold. Where none does ("go on", "your
 * report is not valid"), the session stays with the rule of the turn before. `turns` count how often their rule came.
 */
export function stepsFor(
  rules: readonly ScriptRule[],
  turns: readonly PastTurn[],
): readonly Step[] | undefined {
  const chosen: number[] = [];
  for (const n of turns.keys()) {
    const found = fitting(rules, turns.slice(0, n + 1));
    chosen.push(found === -1 ? staying(rules, turns.slice(0, n + 1), chosen.at(-1)) : found);
  }
  const index = chosen.at(-1) ?? -1;
  const rule = rules[index];
  if (!rule) return undefined;
  if (!rule.turns) return rule.steps ?? [];
  const before = chosen.filter((other) => other === index).length - 1;
  return rule.turns[Math.min(before, rule.turns.length - 1)];
}

function fitting(rules: readonly ScriptRule[], turns: readonly PastTurn[]): number {
  return rules.findIndex((rule) => !isDefault(rule) && fits(rule, turns));
}

/** A rule that is for another attempt is over: then by the last prompt that means something, as if it came now. */
function staying(rules: readonly ScriptRule[], turns: readonly PastTurn[], last: number | undefined): number {
  const now = turns.at(-1) as PastTurn;
  const rule = last === undefined ? undefined : rules[last];
  if (last !== undefined && (rule?.attempt === undefined || rule.attempt === now.attempt)) return last;
  const asNow = turns.slice(0, -1).map(({ prompt }, n) => [...turns.slice(0, n), { ...now, prompt }]);
  const meant = asNow.findLast((past) => fitting(rules, past) !== -1);
  return meant ? fitting(rules, meant) : rules.findIndex(isDefault);
}

function fits({ when, seen, step, attempt }: ScriptRule, turns: readonly PastTurn[]): boolean {
  const now = turns.at(-1);
  if (!now) return false;
  return (
    (when === undefined || holds(when, now.prompt)) &&
    (seen === undefined || turns.slice(0, -1).some(({ prompt }) => holds(seen, prompt))) &&
    (step === undefined || step === now.step) &&
    (attempt === undefined || attempt === now.attempt)
  );
}

function holds(words: string, prompt: string): boolean {
  const pattern = patternOf(words);
  return typeof pattern === 'function' && pattern(prompt);
}

/** What `{{…}}` stands for in the texts of a scenario. Not in commands and paths: a prompt may be hostile. */
interface Values {
  turns: readonly PastTurn[];
  session: string;
  taskId: string;
}

export function filler({ turns, session, taskId }: Values): (text: string) => string {
  const now = turns.at(-1);
  const values: Readonly<Record<string, string | undefined>> = {
    prompt: now?.prompt,
    first: turns[0]?.prompt,
    turn: String(turns.length),
    session,
    task: taskId,
    step: now?.step,
    attempt: now && String(now.attempt),
  };
  return (text) => text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

/** The same for every text inside a report. */
export function fillAll(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((entry) => fillAll(entry, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillAll(entry, fill)]));
}
