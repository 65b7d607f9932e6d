import { candidatesIn } from '../../../report/candidates.ts';
import { check } from '../../../schema/check.ts';
import { flawAt, lineAndColumn, parseJson, type Flaw } from '../../../schema/json.ts';
import { jsonPath, type Problem } from '../../../schema/problem.ts';
import { isObject, objectOf } from '../../../task/json.ts';
import { maxTasks } from './action-fields.ts';
import { actionsSchema, type Actions } from './actions-schema.ts';
import { checkReferences, type Known } from './references.ts';

export type ReadActions = { actions: Actions } | { problems: Problem[] };

/** Room for a thousand long prompts; what is longer is not even looked at. */
const longest = 64 * 1024 ** 2;
const mostProblems = 500;

/** An actions document, or everything that is wrong with it. A model may put words around it. */
export function readActions(text: string, known: Known, from: 'file' | 'model' = 'file'): ReadActions {
  const read = from === 'model' ? jsonInAnswer(text) : jsonIn(text);
  return 'problem' in read ? { problems: [read.problem] } : checkActions(read.value, known);
}

/** The same for a value that is JSON already. */
export function checkActions(given: unknown, known: Known): ReadActions {
  const value = fromRoot(given, known.roots ?? []);
  const tasks = tasksOf(value);
  if (tasks.length > maxTasks) {
    const message = `holds ${tasks.length} subtasks; at most ${maxTasks} are allowed`;
    return { problems: [{ path: '$.tasks', message, fix: 'give them in several rounds' }] };
  }
  const checked = check(actionsSchema, value);
  const mistakes = 'mistakes' in checked ? checked.mistakes : [];
  const problems = [
    ...mistakes.map(({ path, problem, fix }) => ({ path: jsonPath(path), message: problem, fix })),
    ...checkReferences(tasks, known),
  ];
  if ('value' in checked && problems.length === 0) return { actions: checked.value };
  return { problems: bounded(problems) };
}

const paths = ['cwd', 'outputSchemaPath'] as const;

/** Absolute paths inside the project as paths from its root; what lies outside stays as it is, and is refused. */
function fromRoot(value: unknown, roots: readonly string[]): unknown {
  const tasks = tasksOf(value);
  if (roots.length === 0 || !tasks.some(isObject)) return value;
  const relative = (name: unknown): unknown => {
    const root = typeof name === 'string' ? roots.find((one) => isBelow(name, one)) : undefined;
    return root === undefined ? name : (name as string).slice(root.length).replace(/^[\\/]+/, '') || '.';
  };
  const changed = tasks.map((task) =>
    isObject(task)
      ? {
          ...task,
          ...Object.fromEntries(paths.filter((key) => key in task).map((key) => [key, relative(task[key])])),
        }
      : task,
  );
  return { ...(value as object), tasks: changed };
}

function isBelow(name: string, root: string): boolean {
  return name === root || name.startsWith(`${root}/`) || name.startsWith(`${root}\\`);
}

function tasksOf(value: unknown): readonly unknown[] {
  const { tasks } = objectOf(value);
  return Array.isArray(tasks) ? tasks : [];
}

function bounded(problems: Problem[]): Problem[] {
  if (problems.length <= mostProblems) return problems;
  const message = `and ${problems.length - mostProblems} problems more`;
  return [...problems.slice(0, mostProblems), { path: '$', message, fix: 'mend these first' }];
}

type ReadJson = { value: unknown } | { problem: Problem };

function jsonIn(text: string): ReadJson {
  if (text.length > longest) {
    const message = `is ${text.length} characters long; at most ${longest} are allowed`;
    return {
      problem: { path: '$', message, fix: 'give the subtasks in several rounds, with shorter prompts' },
    };
  }
  const plain = text.replace(/^\uFEFF/, '');
  const read = parseJson(plain, { once: true });
  return 'value' in read ? read : { problem: notJson(plain, read) };
}

/** Of several objects the last one that can be meant. What is broken is told as it stands in the answer. */
export function jsonInAnswer(text: string): ReadJson {
  const whole = jsonIn(text);
  if ('value' in whole || text.length > longest) return whole;
  const value = candidatesIn(text).values.findLast(isMeant);
  if (value !== undefined) return { value };
  const start = text.indexOf('{');
  const flaw = start === -1 ? undefined : flawAt(text, start);
  if (flaw) return { problem: notJson(text, flaw) };
  return {
    problem: { path: '$', message: 'the answer holds no actions', fix: 'answer with one JSON object' },
  };
}

function isMeant(value: unknown): boolean {
  return ['sessionGoal', 'tasks', 'done'].some((key) => Object.hasOwn(objectOf(value), key));
}

function notJson(text: string, { at, message }: Flaw): Problem {
  const { line, column } = lineAndColumn(text, at);
  return {
    path: '$',
    message: `is not valid JSON: line ${line}, column ${column}: ${message}`,
    fix: 'mend the JSON',
  };
}
