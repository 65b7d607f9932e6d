import { nearest } from '../../errors/nearest.ts';
import { quoted } from '../../schema/problem.ts';
import type { Condition, Rule, Target } from '../graph.ts';
import { parseCondition, parseExpression } from './expression.ts';
import type { Place } from './fields.ts';
import { checkName, entryOf, type Scope } from './scope.ts';
import type { RuleFile, StepFile } from './step.ts';

/** Whose rules they are: that says what they may ask for. */
export type RuleOwner = { kind: 'work' | 'checks' | 'part' } | { kind: 'fan'; parts: readonly StepFile[] };

/** A step's rules, in the order of the file. */
export function rulesOf(
  scope: Scope,
  ends: Ends,
  from: Pick<StepFile, 'at' | 'rules'>,
  owner: RuleOwner,
): Rule[] {
  const { at, rules = [] } = from;
  if (rules.length === 0 && owner.kind !== 'part')
    scope.complain(
      at,
      'the step can never end: it has no rules',
      'Add `rules:` with `condition:` and `next:`; `condition: true` always holds.',
    );
  const texts = new Set<string>();
  return rules.flatMap((rule) => {
    const read = conditionOf(scope, rule);
    if (!read) return [];
    if (rule.interactive_only) {
      const message = 'a rule for conversations only is passed over here';
      scope.complain(rule.at, message, 'Nobody sits beside a run of docket.', { severity: 'note' });
      return [];
    }
    checkCondition(scope, rule, read.condition, owner);
    if (texts.has(read.text))
      scope.complain(
        rule.at,
        `the condition ${quoted(read.text)} is there twice`,
        'Only the first counts: take one out.',
        { severity: 'warning' },
      );
    texts.add(read.text);
    // What a part chose is all that counts; where the whole goes on, the step around it says.
    if (owner.kind === 'part') return [{ ...read, next: { end: 'done' as const } }];
    return [ruleOf(wayOf(scope, ends, rule), read)];
  });
}

function conditionOf(scope: Scope, rule: RuleFile): { condition: Condition; text: string } | undefined {
  const { at, condition, when, next, return: back } = rule;
  if (next !== undefined && back !== undefined)
    return scope.complain(at, 'the rule has "next" and "return"', 'Keep one of them.');
  if (condition !== undefined && when !== undefined)
    return scope.complain(
      at,
      'the rule has "condition" and "when"',
      'Write them as one: `condition: <text> && when(<expression>)`.',
    );
  if (when !== undefined) {
    const inner = /^when\((.*)\)$/s.exec(when.trim())?.[1] ?? when;
    const parsed = parseExpression(inner);
    if ('problem' in parsed)
      return scope.complain(
        [...at, 'when'],
        `the expression cannot be read: ${parsed.problem}`,
        expressionAdvice,
      );
    return { condition: { kind: 'when', expression: parsed.expression }, text: when.trim() };
  }
  if (condition === undefined)
    return scope.complain(at, 'the rule has no condition', 'Add `condition:`; true always holds.');
  if (condition === '') return undefined; // said already
  const parsed = parseCondition(condition);
  if ('problem' in parsed)
    return scope.complain(
      [...at, 'condition'],
      `the condition cannot be read: ${parsed.problem}`,
      expressionAdvice,
    );
  return { condition: parsed.condition, text: condition.trim() };
}

const expressionAdvice =
  'Write words for a choice of the agent, or ai("question"), all("A"), any("A", "B"), when(context.iteration > 3), true.';

function checkCondition(scope: Scope, rule: RuleFile, condition: Condition, owner: RuleOwner): void {
  const path = [...rule.at, rule.when === undefined ? 'condition' : 'when'];
  switch (condition.kind) {
    case 'and':
      for (const part of condition.parts) checkCondition(scope, rule, part, owner);
      return;
    case 'label':
    case 'judge':
      if (owner.kind === 'checks' && !['passed', 'failed'].includes(condition.text.toLowerCase()))
        scope.complain(
          path,
          `commands cannot say ${quoted(condition.text)}`,
          'Write passed, failed or true.',
        );
      return;
    case 'all':
    case 'any':
      if (owner.kind === 'fan') checkLabels(scope, path, condition, owner.parts);
      else
        scope.complain(
          path,
          `${condition.kind}(…) looks at parts, and this step has none`,
          'Write the label alone, or give it "parallel".',
        );
      return;
    case 'when':
  }
}

/** A label that no part can choose makes a rule that never holds. */
function checkLabels(
  scope: Scope,
  path: Place,
  { kind, labels }: Condition & { kind: 'all' | 'any' },
  parts: readonly StepFile[],
): void {
  const complain = (message: string, fix: string) =>
    scope.complain(path, message, fix, { severity: 'warning' });
  if (kind === 'all' && labels.length > 1 && labels.length !== parts.length) {
    complain(
      `all(…) has ${labels.length} labels for ${parts.length} parts`,
      'Write one label for all of them, or one for each.',
    );
    return;
  }
  const choices = parts.map((part) =>
    (part.rules ?? []).map(({ condition }) => condition?.trim().toLowerCase() ?? ''),
  );
  labels.forEach((label, at) => {
    const said = label.trim().toLowerCase();
    const asked = kind === 'all' && labels.length > 1 ? choices.slice(at, at + 1) : choices;
    const fits = asked.filter((choice) => choice.includes(said)).length;
    if (kind === 'any' ? fits > 0 : fits === asked.length) return;
    const guess = nearest(said, choices.flat());
    const hint =
      guess === undefined || guess === said
        ? 'Give the parts a rule with this condition.'
        : `Did you mean "${guess}"?`;
    complain(`${fits === 0 ? 'no part' : 'not every part'} can choose ${quoted(label)}`, hint);
  });
}

/** Where a rule leads, and what comes with it on the way through calls. */
interface Way {
  next: Target;
  appendix: string[];
  asks: boolean;
}

/** How a workflow ends, as its surroundings understand it. Undefined: nothing is said about that. */
export type Ends = (word: string) => Way | undefined;

function wayOf(scope: Scope, ends: Ends, rule: RuleFile): Way {
  const own = {
    appendix: rule.appendix === undefined ? [] : [rule.appendix],
    asks: rule.requires_user_input === true,
  };
  const word = rule.return ?? rule.next ?? '';
  if (rule.return !== undefined || word === 'COMPLETE' || word === 'ABORT') {
    const end = ends(word);
    if (end)
      return { next: end.next, appendix: [...own.appendix, ...end.appendix], asks: own.asks || end.asks };
    return { next: { end: 'failed' }, ...own };
  }
  const step = entryOf(scope, word);
  if (step === undefined) checkTarget(scope, rule, word);
  return { next: step === undefined ? { end: 'failed' } : { step }, ...own };
}

function checkTarget(scope: Scope, rule: RuleFile, word: string): void {
  const fix = 'Add `next: <step>`, `next: COMPLETE` or `next: ABORT`.';
  if (word === '') scope.complain(rule.at, 'the rule leads nowhere', fix);
  checkName(scope, word, [...rule.at, 'next'], ['COMPLETE', 'ABORT']);
}

/** The ends of a workflow that nothing calls. */
export function outerEnds(alone: boolean): Ends {
  return (word) => {
    if (word === 'COMPLETE') return { next: { end: 'done' }, appendix: [], asks: false };
    if (word === 'ABORT') return { next: { end: 'failed' }, appendix: [], asks: false };
    return alone ? { next: { end: 'done' }, appendix: [], asks: false } : undefined;
  };
}

/** The ends of a workflow that a step calls: that step's rules say what they lead to. */
export function callEnds(scope: Scope, ends: Ends, step: StepFile): Ends {
  return (word) => {
    const rule = step.rules?.find(({ condition }) => condition?.trim() === word);
    if (rule) return wayOf(scope, ends, rule);
    // Nobody has to say that a failure is one.
    return word === 'ABORT' ? ends('ABORT') : undefined;
  };
}

function ruleOf(way: Way, rule: Pick<Rule, 'condition' | 'text'>): Rule {
  return {
    ...rule,
    next: way.next,
    ...(way.appendix.length > 0 && { appendix: way.appendix.join('\n\n') }),
    ...(way.asks && { asks: true }),
  };
}
