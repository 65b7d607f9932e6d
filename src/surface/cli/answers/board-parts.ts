import { z } from 'zod';
import type { App } from '../../../app.ts';
import { like, text, time } from './parts.ts';

type Details = Extract<Awaited<ReturnType<App['show']>>, { kind: 'board' }>['details'];
const orNull = text.nullable();

/** What an answer says of a task of the board. */
const viewFields = {
  taskId: text,
  title: text,
  status: text.describe(
    'In the words of the board: pending, claimed, in_progress, review, done, blocked, failed.',
  ),
  owner: orNull,
  assigneeHint: text.describe('Who it is meant for.'),
  updatedAt: time,
  blockedReason: orNull,
  result: orNull,
  review: orNull,
  relatedTo: orNull,
};
/** An answer may have the whole record. */
const recordFields = { createdBy: text, createdAt: time, projectId: orNull, history: z.array(text) };

export const boardRecord = like<Details['record']>()(
  z.strictObject({
    ...viewFields,
    status: z.enum(['pending', 'claimed', 'in_progress', 'review', 'done', 'blocked', 'failed']),
    ...recordFields,
  }),
);
