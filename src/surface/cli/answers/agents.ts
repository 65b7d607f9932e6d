import { z } from 'zod';
import type { App } from '../../../app.ts';
import { agentEvents, exit } from './agent-event.ts';
import { answer, one, refusal, stream, v, type Published } from './answer.ts';
import { flag, like, text, usage, yes } from './parts.ts';

type Info = Awaited<ReturnType<App['agents']>>[number];
type Tried = Awaited<ReturnType<App['tryAgent']>>;
const opt = <S extends z.ZodType>(schema: S) => schema.exactOptional();
const permission = z.enum(['read', 'edit', 'full']);
const hold = z.enum(['system', 'tools', 'none']);

const capabilities = like<Info['capabilities']>()(
  z.strictObject({
    resume: flag,
    fork: flag,
    choosesId: flag,
    movesFolder: flag,
    structured: flag,
    usage: z.enum(['turn', 'session', 'none']),
    approvals: flag,
    toolStarts: flag,
    replays: flag,
    permissions: z
      .strictObject({ read: hold, edit: hold, full: hold })
      .describe('By whom a permission is held: the system, the tools of the CLI, or nobody.'),
    costs: opt(yes),
    plainReports: opt(yes),
  }),
);

export const agents = z.array(
  like<Info>()(
    z.strictObject({
      name: text,
      adapter: text,
      default: flag,
      found: flag.describe('Its program is there to be started.'),
      program: opt(text),
      version: opt(text),
      login: z.enum(['yes', 'no', 'unknown']),
      permission: opt(permission),
      model: opt(text),
      capabilities,
      problem: opt(text).describe('Why it cannot be used as it is set.'),
    }),
  ),
);

const result = {
  type: z.literal('result'),
  agent: text,
  seconds: z.number(),
  dir: text.describe('Where its output is kept.'),
  ...like<Omit<Tried['turn'], 'error'>>()(
    z.strictObject({
      session: opt(text),
      text: opt(text).describe('The last message, whole.'),
      structured: z.unknown().optional(),
      usage: opt(usage),
      sessionUsage: opt(usage),
      files: z.array(z.strictObject({ path: text, change: z.enum(['add', 'update', 'delete']) })),
      denied: z.array(text).describe('What it was kept from.'),
      warnings: z.array(text),
      exit: opt(exit),
    }),
  ).shape,
};

export const agentCommands: Readonly<Record<string, Published>> = {
  agents: one('The agents that can be named, and what is known about them.', { agents }),
  'agents try': stream('One turn of one agent: what it says and does, then the result.', 'A stream', [
    ...agentEvents.map((event) => event.extend({ v })),
    answer(result),
    refusal(result),
  ]),
};
