import type { Expression } from './graph.ts';

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
