import type { Condition } from '../graph.ts';
import { unquoted } from './expression-tokens.ts';
import { parseExpression } from './expression.ts';

const longest = 4000;
const call = /^(?:(ai|all|any)\(\s*["']|(when)\()/;
const argument = /\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*(,?)/y;

type Parsed = { condition: Condition } | { problem: string };

/**
 * `approved`, `ai("is it ready?")`, `all("approved")`, `any("rejected", "unsure")`, `when(context.iteration > 3)`,
 * `true`, and several of them with `&&`. What has none of these forms is a label, whatever stands in it.
 */
export function parseCondition(text: string): Parsed {
  const said = text.trim();
  if (said === '') return { problem: 'it is empty' };
  if (said.length > longest) return { problem: `it is longer than ${longest} characters` };
  const parts = partsOf(said);
  if (parts.length === 1 || !parts.some((part) => call.test(part) || part === 'true')) return one(said);
  const conditions: Condition[] = [];
  for (const part of parts) {
    const parsed = one(part);
    if ('problem' in parsed) return parsed;
    conditions.push(parsed.condition);
  }
  return { condition: { kind: 'and', parts: conditions } };
}

function one(text: string): Parsed {
  if (text === '') return { problem: 'nothing stands beside "&&"' };
  if (text === 'true') return { condition: { kind: 'when', expression: { op: 'value', value: true } } };
  const [, quoting, when] = call.exec(text) ?? [];
  const word = quoting ?? when;
  if (word === undefined) return { condition: { kind: 'label', text } };
  if (!text.endsWith(')')) return { problem: `${word}( is not closed` };
  const inner = text.slice(text.indexOf('(') + 1, -1);
  if (word === 'when') {
    const parsed = parseExpression(inner);
    return 'problem' in parsed ? parsed : { condition: { kind: 'when', expression: parsed.expression } };
  }
  const texts = argumentsIn(inner);
  if (texts === undefined) return { problem: `${word}(…) needs texts in quotes, with commas between them` };
  if (word === 'all' || word === 'any') return { condition: { kind: word, labels: texts } };
  const [question = '', second] = texts;
  if (second !== undefined) return { problem: 'ai(…) takes one question' };
  return { condition: { kind: 'judge', text: question } };
}

function argumentsIn(inner: string): string[] | undefined {
  const texts: string[] = [];
  const end = inner.trimEnd().length;
  argument.lastIndex = 0;
  for (let comma = ','; comma === ',';) {
    const [, quoted = '', next = ''] = argument.exec(inner) ?? [];
    if (quoted === '' || unquoted(quoted).trim() === '') return undefined;
    texts.push(unquoted(quoted));
    comma = next;
    if (next === '' && argument.lastIndex < end) return undefined;
  }
  return texts;
}

/** Cut at each `&&` outside of brackets and of the quotes inside them; a plain label may have an apostrophe. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (depth > 0 && (char === '"' || char === "'")) quote = char;
    else if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && text.startsWith('&&', at)) {
      parts.push(text.slice(from, at).trim());
      from = ++at + 1;
    }
  }
  return [...parts, text.slice(from).trim()];
}
