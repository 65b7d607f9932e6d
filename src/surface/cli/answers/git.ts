import { z } from 'zod';
import type { Diff, MergedTask, Removed, Restored } from '../../../kinds/queue/finished.ts';
import type { Cleaned, CleanedWorkspace, DiskUse } from '../../../kinds/queue/upkeep-api.ts';
import { one, type Published } from './answer.ts';
import { count, dryRun, flag, id, layout, like, name, status, text, time, yes } from './parts.ts';

const short = { id, status, name };
const texts = z.array(text);
const opt = <S extends z.ZodType>(schema: S) => schema.exactOptional();

const diff = like<Omit<Diff, 'task'>>()(
  z.strictObject({
    ...short,
    form: z.enum(['patch', 'stat', 'names']),
    text: text.describe('As git prints it; empty: nothing changed.'),
    base: text.describe('What it was compared with.'),
    workspace: opt(text),
    inPlace: opt(yes),
    others: opt(
      z
        .strictObject({ since: opt(yes), leftOut: opt(texts), before: opt(texts) })
        .describe('Where its work cannot be told from that of others.'),
    ),
  }),
).shape;

const merged = like<Omit<MergedTask, 'task'>>()(
  z.strictObject({
    ...short,
    into: text.describe('The branch.'),
    state: z.enum(['merged', 'already', 'fits', 'conflict', 'rejected', 'refused']),
    commit: opt(text),
    files: opt(texts).describe('In conflict.'),
    reason: opt(text),
    evidence: opt(text),
    together: opt(texts).describe('Ids of tasks with which alone it fails.'),
    edits: opt(texts).describe(
      'Files with edits by hand in its workspace: committed and tested with it; a dry run only names them.',
    ),
  }),
);
const mergedTasks = { tasks: z.array(merged) };

const removed = like<Omit<Removed, 'task'>>()(
  z.strictObject({
    ...short,
    workspace: opt(text),
    branch: opt(text),
    keptAs: opt(text).describe('The branch or file that has everything of it.'),
    already: opt(yes),
    dryRun,
  }),
);

const restored = like<Omit<Restored, 'task'>>()(
  z.strictObject({ ...short, workspace: opt(text), branch: opt(text), from: opt(text), dryRun }),
).shape;

const kinds = z.enum(['workspace', 'attempts', 'evidence', 'runs', 'files']);
const disk = like<DiskUse>()(
  z.strictObject({
    layout,
    id,
    name: opt(name),
    status: opt(status).describe('Absent: there is no such task any more.'),
    bytes: count,
    parts: z.array(z.strictObject({ kind: kinds, path: text, bytes: count })),
  }),
);

const cleanedWorkspace = like<CleanedWorkspace>()(
  z.strictObject({
    ...short,
    workspace: text,
    bytes: count,
    finishedAt: time,
    action: z.enum(['remove', 'keep']),
    why: text,
    fix: opt(text),
  }),
);
const cleaned = like<Cleaned>()(
  z.strictObject({
    workspaces: z.array(cleanedWorkspace).describe('Those that are due.'),
    bytesBefore: count,
    bytesAfter: count,
    maxBytes: opt(count),
    dryRun,
  }),
).shape;

export const git: Readonly<Record<string, Published>> = {
  diff: one('What a task changed.', diff),
  merge: one('What became of each task; it fails when not all of it was merged.', mergedTasks, {
    beside: mergedTasks,
  }),
  pr: one('The pull request of a task.', {
    ...short,
    url: text,
    isNew: flag.describe('False: it was open already, and the branch is pushed.'),
  }),
  delete: one('What was deleted; with one task its fields also stand by themselves.', {
    ...removed.partial().shape,
    tasks: z.array(removed),
  }),
  restore: one('The task that is back.', restored),
  disk: one('What tasks take up on the disk, the largest first.', {
    bytes: count,
    kinds: z.partialRecord(kinds, count).describe('Bytes by what they are for.'),
    tasks: z.array(disk),
  }),
  clean: one(
    'Workspaces that went, and those that had to stay; it fails when they are still too much.',
    cleaned,
    {
      beside: cleaned,
    },
  ),
};
