import { someNames } from '../../errors/some-names.ts';
import type { Event, NewEvent } from '../../task/schema.ts';
import { tellingLine } from '../telling.ts';

/** Facts in words, for people. Undefined: it is of no interest by itself. */
type Words = { readonly [T in NewEvent['type']]: (event: Extract<Event, { type: T }>) => string | undefined };

const words: Words = {
  'task.created': ({ data }) => `created: ${first(data.title)}`,
  'task.edited': ({ data }) => {
    const keys = Object.keys(data.set).filter((key) => key !== 'extras');
    return keys.length === 0 ? undefined : `edited: ${keys.join(', ')}`;
  },
  'task.claimed': ({ data }) => `claimed by ${data.owner}`,
  'task.released': ({ data }) => `given back: ${first(data.reason)}`,
  'task.renewed': () => undefined,
  'task.started': ({ data }) => `${data.owner} began to work on it`,
  'task.submitted': ({ data }) => `handed in for review: ${first(data.summary)}`,
  'task.returned': ({ data }) => `returned from review: ${first(data.reason)}`,
  'task.done': ({ data }) => `done: ${first(data.summary) || 'without a word'}`,
  'task.blocked': ({ data: { reason } }) => `blocked (${reason.kind}): ${first(reason.text)}`,
  'task.requeued': ({ data }) => `put back into the queue: ${first(data.reason)}`,
  'task.failed': ({ data }) => `failed: ${first(data.failure.error)}`,
  'task.canceled': ({ data }) => `canceled: ${first(data.reason)}`,
  'task.reopened': ({ data }) => `reopened: ${first(data.reason)}`,
  'task.archived': () => 'archived',
  'task.removed': ({ data }) => `removed: ${first(data.reason)}`,
  'task.restored': ({ data }) => `restored: ${first(data.reason)}`,
  'task.carried': () => 'taken over from an earlier log',
  'attempt.started': ({ data }) => `attempt ${data.n} of ${data.step}: ${data.agent} was called`,
  'attempt.session': () => undefined,
  'attempt.ended': ({ data }) => {
    const error = data.error ? ` (${data.error.class}: ${first(data.error.message)})` : '';
    return `attempt ${data.n} of ${data.step} ended: ${data.outcome}${error}`;
  },
  'run.started': ({ data }) =>
    data.steps.length === 0 ? undefined : `ordered: ${listed(data.steps.map(({ id }) => id))}`,
  'run.joined': () => 'results were brought together',
  'step.ended': ({ data }) => {
    const way = data.chose ? ` → ${first(data.chose.text)}` : '';
    return `step ${data.step} is ${data.state}${way}${data.reason === undefined ? '' : `: ${first(data.reason)}`}`;
  },
  'step.reopened': ({ data }) => `step ${data.step} is to be done once more: ${first(data.reason)}`,
  'gate.opened': ({ data }) => `a person is asked at ${data.gate}: ${first(data.reason)}`,
  'gate.answered': ({ data }) =>
    `${data.gate} was ${data.decision}${data.note === undefined ? '' : `: ${first(data.note)}`}`,
  note: ({ data }) => `noted: ${first(data.type)}`,
};

export function wordsFor(event: Event): string | undefined {
  const say = words[event.type] as ((event: Event) => string | undefined) | undefined;
  return say ? say(event) : event.type;
}

const longest = 300;
const mostNames = 12;

/** One line says it; the journal has the rest. */
export function first(text: string): string {
  const line = tellingLine(text);
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

function listed(names: readonly string[]): string {
  return someNames(names, mostNames);
}
