import { z } from 'zod';
import type { StepResult } from '../../../kinds/directory/api.ts';
import type { TaskGate } from '../../../kinds/gates.ts';
import { answer, one, refusal, stream, type Published } from './answer.ts';
import { logLineSchema } from './directory-files.ts';
import { directory, openAnswer, openRefusal } from './directory-parts.ts';
import { count, dryRun, findings, flag, id, layout, like, name, status, text } from './parts.ts';
import { progress, withStream } from './progress.ts';
import { gate } from './task.ts';

const result = like<StepResult>()(
  z.strictObject({
    step: text,
    agent: text,
    state: text,
    summary: text,
    seconds: z.number().exactOptional(),
  }),
);
const ran = {
  ...directory.joined,
  steps: z.array(result),
  interrupted: flag,
  warnings: z.array(z.string()).exactOptional(),
};

const open = (about: string, schema: z.ZodType, refused: z.ZodType = refusal()): Published => ({
  about,
  schema: z.union([schema, refused]),
});
const run = (about: string) =>
  stream(
    `${about} It fails, with the task beside the error, when it is not done; error.data.exitCode has the exit code.`,
    withStream,
    [...progress, openAnswer(ran), openRefusal(ran)],
  );

const waiting = like<TaskGate>()(
  gate.extend({
    taskKind: layout,
    task: id,
    name,
    gate: text,
    title: text,
    questions: z.array(text).exactOptional().describe('All that is asked.'),
    summary: text.exactOptional().describe('What the agent says about it.'),
  }),
);
const decided = { gate: text, decision: z.enum(['approved', 'rejected']) };
const decision = (about: string): Published => ({
  about,
  schema: z.union([answer({ kind: layout, id, status, name, ...decided }), refusal()]),
});

export const tasks: Readonly<Record<string, Published>> = {
  'task create': open('The task directory that was made.', openAnswer(directory.about)),
  'task list': one('All task directories, the newest change first.', {
    tasks: z.array(z.looseObject(directory.about)),
    findings: findings.describe('Those that cannot be read.'),
  }),
  'task show': open('A task directory with its steps.', openAnswer(directory.shown)),
  'task events': stream(
    'Lines of its log, oldest first, as they stand there.',
    'With --follow a stream of the lines themselves',
    [answer({ events: z.array(logLineSchema) }), refusal(), logLineSchema],
  ),
  'task run': run('The task after its steps.'),
  'task resume': run('The same as docket task run.'),
  'task retry': run('The same as docket task run.'),
  'task join': open('The task whose results were brought together.', openAnswer(directory.joined)),
  'task cancel': open('The task that was given up.', openAnswer(directory.about)),
  'task export': one('The archive that was written.', {
    id,
    file: text,
    files: count,
    left: z.array(text).describe('What was left behind: logins, locks.'),
  }),
  'task import': open(
    'The task that was taken out of an archive; of a dry run only its id.',
    z.union([openAnswer({ ...directory.about, files: count, dryRun }), answer({ id, files: count, dryRun })]),
  ),
  'task validate': one('What is wrong with a task directory.', { findings }, { beside: { findings } }),
  'gate list': one('What waits for a person; with a task also what was answered.', {
    gates: z.array(waiting),
  }),
  'gate approve': decision('The task whose gate was answered.'),
  'gate reject': decision('The task whose gate was answered.'),
};
