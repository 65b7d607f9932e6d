import * as v from 'valibot';
import { keys, matching, maybe, table, text, variable } from '../schema/schemas.ts';
import { sources } from '../task/trust.ts';

const level = v.picklist(['high', 'low']);
const host = matching(
  /^(?:\*\.)?[A-Za-z0-9_][A-Za-z0-9_.-]*(?::[0-9]{1,5})?$/,
  'Use a name such as api.example.com, *.example.com or host:port.',
);
export const hostsSchema = v.array(host);

/** Whose words are vouched for, and what becomes of a task that nobody vouches for. */
export const trustSchema = keys({
  authors: maybe(table(v.pipe(text, v.maxLength(200)), level), 'By login, or by who they are in a chat.'),
  sources: maybe(table(v.picklist(sources), level), 'By where a task comes from.'),
  low: maybe(v.picklist(['sandbox', 'read']), 'What such a task may do. Absent: sandbox.'),
  hosts: maybe(hostsSchema, 'Whom its agents may talk to, beside their provider.'),
  env: maybe(v.array(variable), 'Variables that they get, beside what their provider needs.'),
  paths: maybe(v.array(text), "What they may read of people's folders: tools, say."),
});
