import * as v from 'valibot';
import type { TaskDetails } from '../../../kinds/queue/show.ts';
import type { Docket } from '../../../project/docket.ts';
import { attemptSchema, blockKinds, runSchema, taskSchema, units } from '../../../project/schemas.ts';
import type { Schema } from '../../../schema/schemas.ts';
import { progress, withStream } from '../agent/answer.ts';
import * as json from '../frame/json.ts';
import { statusNames } from '../frame/statuses.ts';
import { delivery } from './delivery-answer.ts';

type Option = (typeof taskSchema.options)[number];
type Key = Option extends infer O ? (O extends Option ? keyof O['entries'] : never) : never;

const about: Readonly<Partial<Record<Key, string>>> = {
  id: 'What never changes about it, and what every command takes.',
  rev: 'The number of the last event that changed it.',
  spec: 'What is to be done, and how.',
  priority: 'From -100 to 100; the highest comes first.',
  needs: 'Ids of tasks that must be done first.',
  queuedAt: 'When it last became ready to be picked.',
  owner: 'Who has it.',
  lease: 'How long the owner has it: as long as a process lives, or until a time.',
  standsFor: 'The task of another format whose result this one’s is.',
  doneBy: 'The task of another format that does its work.',
  trust: 'Whether its words are vouched for; absent: they are a person’s own.',
  extras: 'What formats keep beside, by format: theirs to change.',
  used: 'By all of its agents.',
  startedAt: 'When work on it began.',
  finishedAt: 'Of one that is done, failed or canceled.',
  summary: 'Of one that is done or in review: what came of it.',
  reason: 'Of one that is blocked: why, and who must act.',
  failure: 'Of one that failed: why.',
  canceledBecause: 'Of one that was canceled.',
};

const attempt = json.named('attempt', attemptSchema, 'One call of an agent for a step.');
/** Described where they are named. */
const parts: Readonly<Partial<Record<Key, Schema>>> = {
  delivery: json.maybe(delivery),
  run: json.maybe(json.named('run', runSchema, 'One execution of a workflow for a task.')),
  attempts: json.maybe(v.record(json.text, attempt), 'By step: the latest call of an agent.'),
};

/** Its seven forms as one: what not every status has may be absent. Seven times the same would be read by nobody. */
export const task = json.named(
  'task',
  v.strictObject(merged(taskSchema.options.map(({ entries }) => entries as v.ObjectEntries))),
  'The whole task. What its status requires is there.',
);

function merged(forms: readonly v.ObjectEntries[]): v.ObjectEntries {
  const keys = [...new Set(forms.flatMap((form) => Object.keys(form)))];
  return Object.fromEntries(
    keys.map((key) => [key, parts[key as Key] ?? described(partOf(key, forms), about[key as Key])]),
  );
}

function partOf(key: string, forms: readonly v.ObjectEntries[]): Schema {
  const all = forms.flatMap((form) => (form[key] ?? []) as Schema[]);
  const [first = v.never()] = all;
  if (key === 'status') return v.union(all);
  const loose = all.find(({ type }) => type === 'exact_optional');
  const part = loose ?? first;
  return part.type !== 'exact_optional' && all.length < forms.length ? v.exactOptional(part) : part;
}

/** A sentence about a key that may be left out is about what it holds. */
function described(schema: Schema, text: string | undefined): Schema {
  if (text === undefined) return schema;
  if (schema.type !== 'exact_optional') return json.described(schema, text);
  return json.maybe((schema as v.ExactOptionalSchema<Schema, undefined>).wrapped, text);
}

export const need = json.like<TaskDetails['waits'][number]>()(
  json.named(
    'need',
    v.strictObject({
      on: json.id,
      status: v.picklist([...statusNames, 'missing']),
      lost: json.maybe(
        v.strictObject({ on: json.id, status: v.picklist(['missing', 'canceled', 'failed', 'rejected']) }),
        'What nothing takes up again by itself: this task, or one that it waits for.',
      ),
    }),
    'A task that must be done first, and is not.',
  ),
);

export const sides = json.described(
  json.like<TaskDetails['sides']>()(v.strictObject({ standsFor: json.maybe(json.text), doneBy: json.texts })),
  'Tasks of other formats that belong to it, such as board:T-12.',
);

/** A step of a task, as `show` tells it. */
export const step = json.like<TaskDetails['steps'][number]>()(
  json.named(
    'step',
    v.strictObject({
      step: json.id,
      title: json.text,
      state: json.text,
      agent: json.text,
      attempt: json.maybe(json.count),
      startedAt: json.maybe(json.time),
      seconds: json.maybe(v.number()),
      usage: json.maybe(json.usage),
      chose: json.maybe(
        v.strictObject({
          rule: json.count,
          text: json.text,
          by: v.picklist(['only', 'when', 'parts', 'checks', 'tag', 'judge', 'default']),
        }),
        'The rule that says what follows.',
      ),
      said: json.described(json.text, 'What was said about it last.'),
    }),
  ),
);

const ran = {
  tasks: json.described(
    v.array(
      v.strictObject({
        ...json.short,
        agent: json.text,
        layout: json.maybe(json.layout, 'Absent: the queue.'),
        task,
        attempt: json.maybe(attempt),
        unseen: json.maybe(
          json.texts,
          'Of a task that is done: that no command checked it, that its agents changed nothing.',
        ),
      }),
    ),
    'Those that were worked on, as they are now.',
  ),
  findings: json.maybe(json.findings, "What is wrong with the queue's file: such records were not run."),
};

type Planned = Awaited<ReturnType<Docket['plan']>>[number];
const planned = {
  tasks: json.described(
    v.array(
      json.like<Omit<Planned, 'task'>>()(
        v.strictObject({
          id: json.id,
          name: json.name,
          workflow: json.text,
          steps: v.array(
            v.strictObject({ step: json.text, agent: json.text, adapter: json.text, permission: json.text }),
          ),
          begins: json.described(json.text, 'The step that it begins with.'),
          workspace: json.described(json.text, 'inplace, clone or worktree.'),
          branch: json.maybe(json.text),
          waitsFor: json.maybe(v.array(need)),
          problem: json.maybe(json.text, 'Why it would be blocked instead.'),
        }),
      ),
    ),
    'With --dry-run: in the order in which they would run.',
  ),
};

const runAnswer = (text: string): json.Answer =>
  json.stream(
    `${text} It fails (with the same tasks beside the error) when one of them did not end well; error.data.exitCode has the exit code.`,
    withStream,
    [...progress, json.answer(ran), json.answer(planned), json.refusal(ran)],
  );

export const runAnswers = {
  run: runAnswer('What was worked on, and what became of it.'),
  watch: runAnswer('As docket run, until somebody stops it: then an error with exit code 130.'),
};

export const listAnswer = json.one('The tasks of the queue.', {
  tasks: v.array(task),
  waits: json.described(v.record(json.id, v.array(need)), 'By id: what must be done first.'),
  findings: json.described(json.findings, 'What is wrong with its files.'),
});

const opt = json.maybe;

const noted = json.described(
  json.like<TaskDetails['noted']>()(
    v.strictObject({
      runSlug: opt(json.text, 'The folder of its run below .takt/runs.'),
      workspace: opt(json.text, 'Where it is worked on; absent: in place.'),
      branch: opt(json.text),
      base: opt(json.text),
      baseCommit: opt(json.text),
      commit: opt(json.text, 'What docket committed last on the branch.'),
      pushed: opt(json.text, 'The remote that has the branch.'),
      prUrl: opt(json.text),
      deliveryError: opt(json.text, 'Why the work, which is done, could not be handed over.'),
      merged: opt(v.strictObject({ into: json.text, commit: json.text })),
      keptAs: opt(json.text),
      deletedFrom: opt(json.text),
      deletedBlock: opt(
        v.strictObject({
          kind: v.picklist(blockKinds),
          text: json.text,
          who: json.text,
          resumesAt: opt(json.time),
          provider: opt(json.text),
          cap: opt(
            v.strictObject({
              scope: json.text,
              unit: v.picklist(units),
              used: v.number(),
              unpriced: opt(v.strictObject({ agent: json.text, provider: json.text, model: opt(json.text) })),
            }),
          ),
        }),
      ),
      exceeded: opt(v.strictObject({ max: json.count, at: json.count }), 'The step limit that it reached.'),
      ended: opt(json.text),
      maxSteps: opt(json.count),
      from: opt(json.text),
      note: opt(json.text),
    }),
  ),
  'What docket noted about it.',
);

const wishes = json.described(
  json.like<TaskDetails['wishes']>()(
    v.strictObject({
      branch: opt(json.text),
      base: opt(json.text),
      slug: opt(json.text),
      autoPr: json.flag,
      draftPr: json.flag,
      publish: json.described(json.flag, 'Push the branch, also without a pull request.'),
      issue: opt(json.count),
      startStep: opt(json.text),
      retryNote: opt(json.text),
      taskDir: opt(json.text),
      contentFile: opt(json.text),
      maxSteps: opt(json.count),
    }),
  ),
  'What people ask for in its record.',
);

const actions = v.picklist([
  'show',
  'diff',
  'logs',
  'merge',
  'pr',
  'run',
  'retry',
  'requeue',
  'cancel',
  'delete',
]);

/** What `show` says of a task of the queue. */
export const details = {
  kind: v.literal('queue'),
  ...json.short,
  task,
  waits: v.array(need),
  names: json.described(v.record(json.id, json.name), 'What the tasks that it waits for are called.'),
  steps: v.array(step),
  usage: opt(json.usage),
  noted,
  wishes,
  files: json.described(
    v.array(v.strictObject({ what: json.text, path: json.text })),
    'What there is to read, from the root.',
  ),
  evidence: v.array(json.evidence),
  sides,
  actions: json.described(v.array(actions), 'Commands that are possible with it now.'),
};
