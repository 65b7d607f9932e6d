import * as v from 'valibot';
import { anything, described, maybe, openKeys, text, time } from '../../../schema/schemas.ts';
import { name } from './schema-parts.ts';

const textOrNull = v.nullish(v.string());

/** A line of events.jsonl. Ours have `docket` and a checksum beside this; those of other tools need not. */
export const eventSchema = openKeys({
  ts: described(time, 'When it happened, ISO 8601.'),
  type: described(text, 'What happened, in words with dots between them: filter by its beginning.'),
  taskId: described(name, 'The name of the task directory.'),
  agentInstance: described(textOrNull, 'The worker that it is about.'),
  turnId: textOrNull,
  payload: maybe(anything, 'agent.* have agentInstance in it, gate.* have gateId.'),
  by: described(textOrNull, 'Who did it.'),
  path: described(textOrNull, 'The file that it is about, from the task directory.'),
});
