import { z } from 'zod';
import { blockKinds, units } from '../../../app/schemas.ts';
import type { TaskDetails } from '../../../kinds/queue/api.ts';
import { answer, one, type Published } from './answer.ts';
import { boardRecord } from './board-parts.ts';
import { directory, openAnswer } from './directory-parts.ts';
import { packet } from './packet-parts.ts';
import {
  count,
  evidence,
  flag,
  id,
  like,
  name,
  need,
  next,
  sides,
  status,
  step,
  text,
  time,
  usage,
} from './parts.ts';
import { task } from './task.ts';

const opt = <S extends z.ZodType>(schema: S) => schema.exactOptional();

const noted = like<TaskDetails['noted']>()(
  z
    .strictObject({
      runSlug: opt(text).describe('The folder of its run below .takt/runs.'),
      workspace: opt(text).describe('Where it is worked on; absent: in place.'),
      branch: opt(text),
      base: opt(text),
      baseCommit: opt(text),
      commit: opt(text).describe('What docket committed last on the branch.'),
      pushed: opt(text).describe('The remote that has the branch.'),
      prUrl: opt(text),
      deliveryError: opt(text).describe('Why the work, which is done, could not be handed over.'),
      merged: opt(z.strictObject({ into: text, commit: text })),
      keptAs: opt(text),
      deletedFrom: opt(text),
      deletedBlock: opt(
        z.strictObject({
          kind: z.enum(blockKinds),
          text,
          who: text,
          resumesAt: opt(time),
          provider: opt(text),
          cap: opt(
            z.strictObject({
              scope: text,
              unit: z.enum(units),
              used: z.number(),
              unpriced: opt(z.strictObject({ agent: text, provider: text, model: opt(text) })),
            }),
          ),
        }),
      ),
      exceeded: opt(z.strictObject({ max: count, at: count })).describe('The step limit that it reached.'),
      ended: opt(text),
      maxSteps: opt(count),
      from: opt(text),
      note: opt(text),
    })
    .describe('What docket noted about it.'),
);

const wishes = like<TaskDetails['wishes']>()(
  z
    .strictObject({
      branch: opt(text),
      base: opt(text),
      slug: opt(text),
      autoPr: flag,
      draftPr: flag,
      publish: flag.describe('Push the branch, also without a pull request.'),
      issue: opt(count),
      startStep: opt(text),
      retryNote: opt(text),
      taskDir: opt(text),
      contentFile: opt(text),
      maxSteps: opt(count),
    })
    .describe('What people ask for in its record.'),
);

const actions = z.enum([
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

const queued = {
  kind: z.literal('queue'),
  id,
  status,
  name,
  task,
  waits: z.array(need),
  names: z.record(id, name).describe('What the tasks that it waits for are called.'),
  steps: z.array(step),
  usage: opt(usage),
  noted,
  wishes,
  files: z
    .array(z.strictObject({ what: text, path: text }))
    .describe('What there is to read, from the root.'),
  evidence: z.array(evidence),
  sides,
  actions: z.array(actions).describe('Commands that are possible with it now.'),
};

const onBoard = {
  kind: z.literal('board'),
  id,
  status,
  title: text,
  task,
  record: boardRecord,
  waits: z.array(need),
  steps: z.array(step),
  evidence: z.array(evidence),
  sides,
  next: z.array(next),
};

export const aboutOne: Readonly<Record<string, Published>> = {
  show: one('All about one task, in the terms of its format: `kind` says which.', queued, {
    or: [
      openAnswer({ ...directory.shown, kind: z.literal('task') }),
      answer({ ...packet, next: opt(text), kind: z.literal('packet') }),
      answer(onBoard),
    ],
  }),
};
