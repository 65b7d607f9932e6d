import type { Condition, Graph, Node, Rule, Target } from '../workflow/graph.ts';
import { isDefault } from '../workflow/rules.ts';

/** A rule as a person would say it: when it holds, and what follows. */
export function ruleWords(graph: Graph, rule: Rule): { when: string; leadsTo: string } {
  const asks = rule.asks ? ', when a person has answered' : '';
  return { when: whenWords(rule.condition, rule.text), leadsTo: `${targetWords(graph, rule.next)}${asks}` };
}

/** Where a rule leads: the title of a step, or what becomes of the task. */
function targetWords({ nodes }: Graph, next: Target): string {
  if ('step' in next) return nodes[next.step]?.title ?? next.step;
  return next.end === 'done' ? 'COMPLETE' : 'ABORT';
}

/** The condition on an arrow, where there is no room for a sentence. */
export function shortCondition({ condition, text }: Rule): string {
  if (isDefault(condition)) return 'otherwise';
  return condition.kind === 'judge' ? condition.text : text;
}

/** What it may do, and with whom: `coder · codex · may edit`. */
export function nodeWords({
  kind,
  role,
  title,
  agent,
  model,
  permission,
  floor,
  checks,
  parts,
}: Node): string {
  if (kind === 'checks')
    return checks.length === 0 ? "the project's commands" : checks.map(({ name }) => name).join(', ');
  if (kind === 'fan') return `${parts?.length ?? 0} at once`;
  const rights = { read: 'reads', edit: 'may edit', full: 'may do everything' };
  const right = [permission, floor]
    .filter((one) => one !== undefined)
    .toSorted(byReach)
    .at(-1);
  const words = [
    title === role || title.endsWith(`/${role}`) ? '' : role,
    agent ?? '',
    model ?? '',
    right ? rights[right] : '',
  ];
  return words.filter((word) => word !== '').join(' · ');
}

function byReach(a: 'read' | 'edit' | 'full', b: 'read' | 'edit' | 'full'): number {
  const order = ['read', 'edit', 'full'];
  return order.indexOf(a) - order.indexOf(b);
}

function whenWords(condition: Condition, text: string): string {
  if (isDefault(condition)) return 'otherwise';
  switch (condition.kind) {
    case 'label':
      return `"${condition.text}"`;
    case 'judge':
      return `a judge finds: "${condition.text}"`;
    case 'when':
      return text;
    case 'all':
      return `all parts chose ${condition.labels.map((label) => `"${label}"`).join(', ')}`;
    case 'any':
      return `a part chose ${condition.labels.map((label) => `"${label}"`).join(' or ')}`;
    case 'and':
      return condition.parts.map((part) => whenWords(part, text)).join(' and ');
  }
}
