import * as v from 'valibot';
import type { Docket, RunInput, TryInput } from '../../../project/docket.ts';
import * as json from '../frame/json.ts';

type AgentEvent = Parameters<NonNullable<TryInput['onEvent']>>[0];
type End = Extract<AgentEvent, { type: 'end' }>;
const agentError = json.like<NonNullable<End['error']>>()(
  v.strictObject({
    class: v.picklist([
      'transient',
      'limit',
      'auth',
      'prompt-too-large',
      'refused',
      'tooling',
      'timeout',
      'stall',
      'crashed',
      'unknown',
    ]),
    message: json.text,
    status: json.maybe(v.pipe(v.number(), v.integer())),
    resetAt: json.maybe(json.time, 'When a limit ends, if somebody said so.'),
    newSession: json.maybe(v.literal(true)),
  }),
);
export const exit = json.like<End['exit']>()(
  v.strictObject({
    code: json.maybe(v.pipe(v.number(), v.integer()), 'As a shell would say it: 128 + n after signal n.'),
    stopped: json.maybe(v.picklist(['canceled', 'timeout', 'stall', 'output', 'shutdown'])),
  }),
);
const question = v.strictObject({
  id: json.text,
  text: json.text,
  about: json.described(json.text, 'What it wants to do: edit, command, or the name of a tool.'),
  options: v.array(
    v.strictObject({ id: json.text, kind: v.picklist(['allow', 'deny', 'other']), text: json.text }),
  ),
});
const one = <T extends string, S extends v.ObjectEntries>(type: T, fields: S) =>
  v.strictObject({ type: v.literal(type), ...fields });
/** What an agent said or did, whichever it is. By `type`, and of tools by `phase`. */
export const agentEvents = [
  one('session', { id: json.text }),
  one('text', { text: json.text }),
  one('tool', { phase: v.literal('start'), id: json.text, name: json.text, input: json.maybe(json.text) }),
  one('tool', {
    phase: v.literal('end'),
    id: json.text,
    name: json.text,
    ok: json.flag,
    output: json.maybe(json.text),
  }),
  one('file', { path: json.text, change: v.picklist(['add', 'update', 'delete']) }),
  one('usage', { turn: json.maybe(json.usage), session: json.maybe(json.usage) }),
  one('limit', { message: json.text, resetAt: json.maybe(json.text) }),
  one('question', { question, answer: json.text }),
  one('denied', { text: json.text }),
  one('warning', { text: json.text }),
  one('end', {
    exit,
    text: json.maybe(json.text, 'The last message, whole.'),
    structured: v.optional(v.unknown()),
    error: json.maybe(agentError),
  }),
] as const;
export const agentEvent = json.like<AgentEvent>()(
  json.named('agentEvent', v.union(agentEvents), 'What an agent said or did.'),
);
type Progress = Parameters<NonNullable<RunInput['onProgress']>>[0];
const lineHead = {
  v: json.version,
  at: json.time,
  layout: json.layout,
  id: json.id,
  name: json.name,
  title: json.maybe(json.text),
};
const stepped = { step: json.text, title: json.maybe(json.text) };
const line = <K extends Progress['kind'], S extends v.ObjectEntries>(kind: K, fields: S) =>
  v.strictObject({
    ...lineHead,
    status: json.maybe(json.status),
    agent: json.maybe(json.text),
    kind: v.literal(kind),
    ...fields,
  });
/** A line of --stream, of whatever runs agents. */
export const progress = [
  line('started', {}),
  line('step', { ...stepped, attempt: json.count }),
  line('event', { ...stepped, attempt: json.count, event: agentEvent }),
  line('stepped', { ...stepped, state: json.text, summary: json.text }),
  line('ended', {}),
] as const;
export const withStream = 'With --stream a stream of all that happens, with the answer as its last line';
type Info = Awaited<ReturnType<Docket['agents']>>[number];
const permission = v.picklist(['read', 'edit', 'full']);
const hold = v.picklist(['system', 'tools', 'none']);
const capabilities = json.like<Info['capabilities']>()(
  v.strictObject({
    resume: json.flag,
    fork: json.flag,
    choosesId: json.flag,
    movesFolder: json.flag,
    structured: json.flag,
    usage: v.picklist(['turn', 'session', 'none']),
    approvals: json.flag,
    toolStarts: json.flag,
    replays: json.flag,
    permissions: json.described(
      v.strictObject({ read: hold, edit: hold, full: hold }),
      'By whom a permission is held: the system, the tools of the CLI, or nobody.',
    ),
    costs: json.maybe(json.yes),
    plainReports: json.maybe(json.yes),
  }),
);
export const agents = v.array(
  json.like<Info>()(
    v.strictObject({
      name: json.text,
      adapter: json.text,
      default: json.flag,
      found: json.described(json.flag, 'Its program is there to be started.'),
      program: json.maybe(json.text),
      version: json.maybe(json.text),
      login: v.picklist(['yes', 'no', 'unknown']),
      permission: json.maybe(permission),
      model: json.maybe(json.text),
      capabilities,
      problem: json.maybe(json.text, 'Why it cannot be used as it is set.'),
    }),
  ),
);
