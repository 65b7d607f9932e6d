import * as v from 'valibot';
import { described, maybe, openKeys, text, time, whole } from '../../../schema/schemas.ts';
import { name } from './schema-parts.ts';

/** agents/<instance>/session.json. Paths are from the agent's folder. */
export const sessionSchema = openKeys({
  adapter: text,
  instance: maybe(name),
  agent: maybe(text, 'The role that it plays.'),
  state: maybe(text),
  startedAt: maybe(time),
  attempts: maybe(whole(1), 'How often it was started.'),
  vendorSession: openKeys({
    tool: text,
    threadId: v.nullish(described(text, 'Null until the vendor has named it.')),
    forkedFromThreadId: maybe(text, 'The session that it is a copy of.'),
    cwd: text,
    codexHome: maybe(text),
  }),
  recording: openKeys({
    events: described(text, 'What the vendor wrote to its output.'),
    stderr: text,
    requests: maybe(text, 'What was sent to it, where it is a server.'),
  }),
});
