import type { Rule, Target } from '../graph.ts';
import { checkName, entryOf, type Scope } from './scope.ts';
import type { RuleFile, StepFile } from './step.ts';

/** Where a rule leads, and what comes with it on the way through calls. */
export interface Way {
  next: Target;
  appendix: string[];
  asks: boolean;
}

/** How a workflow ends, as its surroundings understand it. Undefined: nothing is said about that. */
export type Ends = (word: string) => Way | undefined;

export function wayOf(scope: Scope, ends: Ends, rule: RuleFile): Way {
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
  if (word === '') scope.complain({ path: rule.at, message: 'the rule leads nowhere', fix });
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

export function ruleOf(way: Way, rule: Pick<Rule, 'condition' | 'text'>): Rule {
  return {
    ...rule,
    next: way.next,
    ...(way.appendix.length > 0 && { appendix: way.appendix.join('\n\n') }),
    ...(way.asks && { asks: true }),
  };
}
