import type { ScriptRule, Step } from './scenario.ts';

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
