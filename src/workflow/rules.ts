import type { Chose } from '../task/run.ts';
import type { Condition, Expression, Node, Rule } from './graph.ts';

/** What is known when a step has ended. */
interface Seen {
  /** What the agent said. */
  text: string;
  /** What conditions can ask about: `context.iteration`, `structured.ok`. */
  facts: Readonly<Record<string, unknown>>;
  /** What each part of a fan chose, in their order. */
  parts?: readonly (string | undefined)[];
  /** How docket's own checks went. */
  checks?: 'passed' | 'failed';
}

type Choice =
  | { kind: 'chosen'; chose: Chose }
  /** Only a judge can tell which of these rules holds. `otherwise`: what holds if none of them does. */
  | { kind: 'ask'; rules: readonly number[]; otherwise?: Chose }
  /** The agent says that it needs a person. */
  | { kind: 'person' }
  | { kind: 'none' };

/**
 * Which rule holds: what can be computed first, in the order of the rules, then what the agent's own tag says, then what
 * a judge would have to say. Never a guess.
 */
export function choose(node: Node, seen: Seen): Choice {
  const { rules } = node;
  const computed = rules.findIndex(
    ({ condition }) => !isDefault(condition) && holds(condition, seen) === true,
  );
  if (computed !== -1) return chosen(rules, computed, how(rules[computed]?.condition));
  const open = rules.flatMap(({ condition }, at) => (holds(condition, seen) === undefined ? [at] : []));
  const fallback = rules.findIndex(({ condition }) => isDefault(condition));
  if (open.length > 0) {
    const tag = tagIn(seen.text, node.title);
    if (tag === 0) return { kind: 'person' };
    if (tag !== undefined && open.includes(tag - 1)) return chosen(rules, tag - 1, 'tag');
    if (rules.length === 1) return chosen(rules, 0, 'only');
  }
  const otherwise = fallback === -1 ? undefined : choseOf(rules, fallback, 'default');
  if (open.length > 0) return { kind: 'ask', rules: open, ...(otherwise && { otherwise }) };
  return otherwise ? { kind: 'chosen', chose: otherwise } : { kind: 'none' };
}

export function choseOf(rules: readonly Rule[], rule: number, by: Chose['by']): Chose {
  return { rule, text: (rules[rule]?.text ?? '').slice(0, 500), by };
}

/** `[REVIEW:2]`: the last one counts, because agents repeat what they were told before they answer. */
export function tagIn(text: string, title: string): number | undefined {
  const name = tagName(title).toLowerCase();
  let found: number | undefined;
  for (const [, word = '', digits = ''] of text.matchAll(/\[([^[\]:\n]{1,200}):\s*(\d{1,3})\]/g))
    if (word.trim().toLowerCase() === name) found = Number(digits);
  return found;
}

/** The name by which a step's tag is known. */
export function tagName(title: string): string {
  return title.replaceAll(/[[\]:\n]/g, '-').toUpperCase();
}

function chosen(rules: readonly Rule[], rule: number, by: Chose['by']): Choice {
  return { kind: 'chosen', chose: choseOf(rules, rule, by) };
}

/** True or false where it can be computed; undefined: somebody has to be asked. */
function holds(condition: Condition, seen: Seen): boolean | undefined {
  switch (condition.kind) {
    case 'label':
      return seen.checks === undefined ? undefined : condition.text.trim().toLowerCase() === seen.checks;
    case 'judge':
      return undefined;
    case 'when':
      return evaluate(condition.expression, seen.facts) === true;
    case 'all':
      return allOf(condition.labels, seen.parts ?? []);
    case 'any':
      return (seen.parts ?? []).some((part) => part !== undefined && condition.labels.some(isLabel(part)));
    case 'and': {
      const each = condition.parts.map((part) => holds(part, seen));
      return each.includes(false) ? false : each.includes(undefined) ? undefined : true;
    }
  }
}

/** One label is what all parts must say; several are told part by part. */
function allOf(labels: readonly string[], parts: readonly (string | undefined)[]): boolean {
  if (parts.length === 0 || (labels.length > 1 && labels.length !== parts.length)) return false;
  return parts.every(
    (part, at) => part !== undefined && isLabel(part)(labels.length === 1 ? labels[0] : labels[at]),
  );
}

const isLabel =
  (said: string) =>
  (label: string | undefined): boolean =>
    label !== undefined && label.trim().toLowerCase() === said.trim().toLowerCase();

/** `true`: what holds when nothing else does. */
export function isDefault(condition: Condition): boolean {
  return (
    condition.kind === 'when' && condition.expression.op === 'value' && condition.expression.value === true
  );
}

function how(condition: Condition | undefined): Chose['by'] {
  if (condition?.kind === 'label') return 'checks';
  return condition?.kind === 'all' || condition?.kind === 'any' ? 'parts' : 'when';
}

type Value = unknown;
type Scope = Readonly<Record<string, Value>>;

/** What a deterministic condition says of these facts. Kinds that cannot be compared are neither equal nor ordered. */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.op) {
    case 'value':
      return expression.value;
    case 'path':
      return expression.path.reduce<Value>(ownValue, scope);
    case 'exists': {
      const list = evaluate(expression.list, scope);
      return (
        Array.isArray(list) && list.some((item) => evaluate(expression.test, { ...scope, item }) === true)
      );
    }
    case '&&':
      return evaluate(expression.left, scope) === true && evaluate(expression.right, scope) === true;
    case '||':
      return evaluate(expression.left, scope) === true || evaluate(expression.right, scope) === true;
    default:
      return compared(expression.op, evaluate(expression.left, scope), evaluate(expression.right, scope));
  }
}

/** Only what the object itself holds: names come from files and models. */
function ownValue(from: Value, key: string): Value {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, key)
    ? (from as Record<string, Value>)[key]
    : undefined;
}

function compared(op: '==' | '!=' | '>' | '<' | '>=' | '<=', left: Value, right: Value): boolean {
  if (op === '==') return left === right;
  if (op === '!=') return left !== right;
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  return { '>': left > right, '<': left < right, '>=': left >= right, '<=': left <= right }[op];
}
