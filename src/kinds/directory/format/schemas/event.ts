import { z } from 'zod';
import { name, time } from './parts.ts';

const textOrNull = z.string().nullable().optional();

/** A line of events.jsonl. Ours have `docket` and a checksum beside this; those of other tools need not. */
export const eventSchema = z.looseObject({
  ts: time.describe('When it happened, ISO 8601.'),
  type: z
    .string()
    .min(1)
    .describe('What happened, in words with dots between them: filter by its beginning.'),
  taskId: name.describe('The name of the task directory.'),
  agentInstance: textOrNull.describe('The worker that it is about.'),
  turnId: textOrNull,
  payload: z.json().optional().describe('agent.* have agentInstance in it, gate.* have gateId.'),
  by: textOrNull.describe('Who did it.'),
  path: textOrNull.describe('The file that it is about, from the task directory.'),
});
