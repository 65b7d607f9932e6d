import { fenced } from '../../../render/fence.ts';
import { clip } from '../../../report/clip.ts';
import { problemLines } from '../../../schema/problem.ts';
import { isObject } from '../../../task/json.ts';
import { actionFields, builtInAdapters, maxTasks, modes, subtaskFields } from './action-fields.ts';
import type { Actions } from './actions-schema.ts';
import { checkActions, jsonInAnswer } from './actions.ts';
import type { Known } from './references.ts';

type Json = Record<string, unknown>;

const required = ['taskId', 'title', 'agent', 'adapter', 'prompt'];

/**
 * The planner's answer as vendors' structured output wants it: one object, every property required, what is optional may
 * be null. It holds both answers, because many vendors refuse a choice at the top.
 */
export const planSchemaStrict: Readonly<Json> = object({
  done: { type: 'boolean', description: 'true: the goal is reached, and nothing more is to be done.' },
  summary: { type: ['string', 'null'], description: 'When done: what was reached, in 1 to 3 sentences.' },
  sessionGoal: { type: ['string', 'null'], description: `When not done: ${actionFields.sessionGoal}` },
  tasks: {
    type: ['array', 'null'],
    description: `When not done: ${actionFields.tasks}`,
    items: object(Object.fromEntries(Object.entries(subtaskFields).map(subtaskField))),
  },
});

function subtaskField([name, description]: [string, string]): [string, Json] {
  const types: Record<string, Json & { type: string }> = {
    mode: { type: 'string', enum: [...modes, null] },
    needs: { type: 'array', items: { type: 'string' } },
    timeoutSeconds: { type: 'integer' },
    retries: { type: 'integer' },
  };
  const { type, ...more } = types[name] ?? { type: 'string' };
  return [name, { type: required.includes(name) ? type : [type, 'null'], description, ...more }];
}

function object(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** What a planner may answer: what to do next, or that there is nothing left to do. */
export type Plan = { kind: 'actions'; actions: Actions } | { kind: 'done'; summary: string };

const maxSummary = 2000;

/** The planner's answer: its text, or what its vendor handed over as structured. */
export function readPlan(answer: unknown, known: Known): { plan: Plan } | { problem: string } {
  const read = typeof answer === 'string' ? jsonInAnswer(answer) : { value: answer };
  if ('problem' in read) return { problem: problemLines([read.problem]).join('') };
  if (!isObject(read.value)) return { problem: '$: must be a JSON object' };
  const { done, summary, ...document } = filled(read.value);
  if (done === true) return finished(summary, document['tasks']);
  if (done !== undefined && done !== false) return { problem: '$.done: must be true or false' };
  const checked = checkActions({ ...document, ...withTasks(document['tasks']) }, known);
  if ('actions' in checked) return { plan: { kind: 'actions', actions: checked.actions } };
  return { problem: problemLines(checked.problems).join('\n') };
}

function finished(summary: unknown, tasks: unknown): { plan: Plan } | { problem: string } {
  if (Array.isArray(tasks) && tasks.length > 0) {
    return { problem: '$.tasks: there are subtasks, and done is true: it is one or the other' };
  }
  if (typeof summary !== 'string' || summary.trim() === '') {
    return { problem: '$.summary: is missing: say in 1 to 3 sentences what was reached' };
  }
  return { plan: { kind: 'done', summary: clip(summary.trim(), maxSummary) } };
}

function withTasks(tasks: unknown): { tasks?: unknown } {
  return Array.isArray(tasks)
    ? { tasks: tasks.map((task: unknown) => (isObject(task) ? filled(task) : task)) }
    : {};
}

/** Where every field has to be there, null and an empty text stand for one that is not. */
function filled(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== ''));
}

/** What a planner has to know. */
export interface PlanInput {
  goal: string;
  description: string;
  round: number;
  maxRounds: number;
  /** Names that `adapter` may have beside the two that are always there. */
  agents: readonly string[];
  limits: { maxConcurrentAgents: number; timeoutSeconds: number };
  milestones: readonly { id: string; title: string; state: string; dependsOn: readonly string[] }[];
  /** Instances that there are already. */
  taken: readonly string[];
  /** Sessions that may be forked, and whose they are. */
  sessions: readonly { step: string; id: string }[];
  /** What came of the rounds before. */
  joined?: string;
  /** What people wrote. */
  notes?: string;
}

const longest = 60_000;
const example = {
  sessionGoal: '…',
  tasks: [
    { taskId: 'find-cause', title: '…', agent: 'debugger', adapter: '…', prompt: '…' },
    { taskId: 'mend', title: '…', agent: 'developer', adapter: '…', prompt: '…', needs: ['find-cause'] },
  ],
};
/** Nobody's answer when it is only repeated: what it leaves out is required. */
const contract = [
  'Answer with one JSON object and nothing else. Either what is to be done next:',
  JSON.stringify(example),
  'or, when the goal is reached or nothing more can be done for it, with 1 to 3 sentences as summary:',
  '{"done": true, "summary": ""}',
];
const table = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([name, meaning]) => `- ${name}: ${meaning}`);

/** The first round: who the planner is, the goal, and what an answer looks like. */
export function planPrompt(input: PlanInput): string {
  return text([
    'You plan work that other agents do. You do none of it yourself: you change no files and run nothing that does.',
    'Each subtask goes to an agent of its own that sees the files, but neither this conversation nor the other subtasks:',
    'its prompt must hold all it needs. What does not depend on each other runs at the same time, so two such subtasks must',
    'not change the same files. When all have ended, you hear what came of them and plan the next round.',
    ...section('Goal', input.goal),
    ...section('Description', input.description),
    ...situation(input),
    '',
    '## Your answer',
    ...contract,
    '',
    'Of the document:',
    ...table(actionFields),
    '',
    `Of each subtask (at most ${maxTasks}; taskId, title, agent, adapter and prompt are required, no other keys are known):`,
    ...table(subtaskFields),
  ]);
}

/** Later rounds, in the session that has read the first prompt. The goal may be another by now. */
export function nextPlanPrompt(input: PlanInput): string {
  return text([
    'The subtasks of the last round have ended. Judge what came of them, and plan the next round or say that it is done.',
    ...section('Goal', input.goal),
    ...situation(input),
    '',
    ...contract,
  ]);
}

/** Once more in the same session, after an answer that could not be used. */
export function repairPlanPrompt(problem: string): string {
  return text([
    'Your last answer cannot be used:',
    clip(problem, 8000),
    '',
    'Answer again, with the whole document.',
    ...contract,
  ]);
}

function situation(input: PlanInput): string[] {
  const { limits, round, maxRounds, agents, milestones, taken, sessions } = input;
  const last = round >= maxRounds ? ' It is the last one.' : '';
  return [
    '',
    '## Situation',
    `- This is round ${round} of at most ${maxRounds}.${last}`,
    `- ${limits.maxConcurrentAgents} agents work at once; one has ${limits.timeoutSeconds} seconds unless timeoutSeconds says less.`,
    `- adapter is one of: ${[...new Set([...builtInAdapters, ...agents])].join(', ')}`,
    ...milestones.map(
      ({ id, title, state, dependsOn }) =>
        `- milestone ${id} (${state}): ${clip(title, 200)}${dependsOn.length > 0 ? `; after ${dependsOn.join(', ')}` : ''}`,
    ),
    ...(taken.length > 0
      ? [`- taken, not to be used again as taskId or agentInstance: ${taken.join(', ')}`]
      : []),
    ...(sessions.length > 0
      ? [`- may be forked: ${sessions.map(({ step, id }) => `${id} (${step})`).join(', ')}`]
      : ['- nothing can be forked yet: leave mode out']),
    ...section('Notes of the people in charge, which come before everything else', input.notes ?? ''),
    ...section(
      'Results so far',
      input.joined?.trim() ? fenced(clip(input.joined.trim(), longest), 'the agents') : '',
    ),
  ];
}

function section(title: string, body: string): string[] {
  return body.trim() === '' ? [] : ['', `## ${title}`, clip(body.trim(), longest + 1000)];
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
