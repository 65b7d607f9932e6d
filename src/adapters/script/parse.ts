import { isMap, isNode, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { nearest } from '../../errors/nearest.ts';
import {
  isDefault,
  patternOf,
  ruleKeys,
  type Scenario,
  scenarioKeys,
  scenarioSchema,
  stepShapes,
} from './scenario.ts';

export interface Problem {
  line: number;
  column: number;
  message: string;
}

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/** The scenario, or an error that lists all that is wrong with it, each with its place. */
export function parseScenario(source: string, file: string): Scenario {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const at = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0) {
    throw wrong(
      file,
      document.errors.map((error) => ({ ...at(error.pos[0]), message: error.message.split('\n')[0] ?? '' })),
    );
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  const parsed = scenarioSchema.safeParse(value);
  const found = parsed.success ? beyondSchema(parsed.data) : issuesOf(parsed.error.issues, value);
  if (parsed.success && found.length === 0) return parsed.data;
  const problems = found.map(({ path, message }) => ({ ...at(offsetOf(document, path)), message }));
  throw wrong(
    file,
    problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
  );
}

/** What is well formed and cannot be meant. */
function beyondSchema({ rules }: Scenario): { path: Path; message: string }[] {
  return rules.flatMap((rule, n) => {
    const found: { path: Path; message: string }[] = [];
    for (const key of ['when', 'seen'] as const) {
      const pattern = rule[key] === undefined ? undefined : patternOf(rule[key]);
      if (typeof pattern === 'string') found.push({ path: ['rules', n, key], message: pattern });
    }
    if (isDefault(rule) && n < rules.length - 1) {
      found.push({
        path: ['rules', n + 1],
        message: 'stands behind the rule without a condition, which must be the last one',
      });
    }
    return found;
  });
}

/** Of a step that fits no shape, what is wrong by the shape that its first key names. */
function issuesOf(
  issues: readonly Issue[],
  value: unknown,
  base: Path = [],
): { path: Path; message: string }[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, knownAt(path)) }));
    }
    const found = valueAt(value, path);
    if (issue.code === 'invalid_union' && isStepPath(path)) return stepIssues(found, path);
    const name = path.at(-1);
    return [{ path, message: `${typeof name === 'string' ? `${name}: ` : ''}${plain(issue)}` }];
  });
}

function stepIssues(found: unknown, path: Path): { path: Path; message: string }[] {
  const keys = typeof found === 'object' && found !== null ? Object.keys(found) : [];
  const [key] = keys;
  if (key === undefined)
    return [{ path, message: `a step must be one of ${stepNames.join(', ')}, with its value` }];
  if (keys.length > 1) return [{ path, message: `a step has one key, this one has ${keys.join(', ')}` }];
  if (!Object.hasOwn(stepShapes, key)) return [{ path: [...path, key], message: unknownKey(key, stepNames) }];
  const shape = stepShapes[key as keyof typeof stepShapes];
  const checked = shape.safeParse(found);
  return checked.success
    ? []
    : issuesOf(checked.error.issues, found, path).map((issue) => within(issue, key));
}

const within = (
  { path, message }: { path: Path; message: string },
  key: string,
): { path: Path; message: string } => ({
  path,
  message:
    message === 'Invalid input' || message === `${key}: Invalid input`
      ? `${key}: ${forms[key] ?? 'has a wrong value'}`
      : message,
});

const stepNames = Object.keys(stepShapes);

/** What the value of a step looks like where it has several forms. */
const forms: Readonly<Record<string, string>> = {
  edit: 'must be path with one of write, append, replace and with, or delete: true',
  limit: 'must be one of text, resetsAt, in',
  run: 'must be a command line or a list of arguments',
  garbage: 'must be true or a number of bytes',
};

const valueKeys: Readonly<Record<string, readonly string[]>> = {
  usage: ['input', 'cached', 'output', 'cost'],
  edit: ['path', 'write', 'append', 'replace', 'with', 'delete'],
  limit: ['text', 'resetsAt', 'in'],
};

function plain(issue: Issue): string {
  return issue.message.replace(/^Invalid input: /, '');
}

function unknownKey(key: string, known: readonly string[]): string {
  const guess = nearest(key, known);
  return `unknown key "${key}"; ${guess === undefined ? `known: ${known.join(', ')}` : `did you mean "${guess}"?`}`;
}

function knownAt(path: Path): readonly string[] {
  if (path.length === 0) return scenarioKeys;
  if (path.length === 2) return ruleKeys;
  return valueKeys[String(path.at(-1))] ?? stepNames;
}

/** rules.0.steps.1, rules.0.turns.2.1 */
function isStepPath(path: Path): boolean {
  return (path.length === 4 && path[2] === 'steps') || (path.length === 5 && path[2] === 'turns');
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

/** Where a thing stands; of an unknown key, the key; of what is missing, that which lacks it. */
function offsetOf(document: Document, path: Path): number {
  const parent = path.length === 0 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isNode(key) && String(key) === String(path.at(-1)));
    if (pair && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
  }
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isNode(node)) return node.range?.[0] ?? 0;
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

function wrong(file: string, problems: readonly Problem[]): DocketError {
  const listed = problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  return new DocketError(
    'INVALID',
    listed.join('\n'),
    'mend the scenario; docs/script-agent.md has the format',
    {
      path: file,
      problems,
    },
  );
}
