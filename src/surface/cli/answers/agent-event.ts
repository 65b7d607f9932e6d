import { z } from 'zod';
import type { TryInput } from '../../../app.ts';
import { flag, like, text, time, usage } from './parts.ts';

type AgentEvent = Parameters<NonNullable<TryInput['onEvent']>>[0];
type End = Extract<AgentEvent, { type: 'end' }>;

const agentError = like<NonNullable<End['error']>>()(
  z.strictObject({
    class: z.enum([
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
    message: text,
    status: z.int().exactOptional(),
    resetAt: time.exactOptional().describe('When a limit ends, if somebody said so.'),
    newSession: z.literal(true).exactOptional(),
  }),
);

const exit = like<End['exit']>()(
  z.strictObject({
    code: z.int().exactOptional().describe('As a shell would say it: 128 + n after signal n.'),
    stopped: z.enum(['canceled', 'timeout', 'stall', 'output', 'shutdown']).exactOptional(),
  }),
);

const question = z.strictObject({
  id: text,
  text,
  about: text.describe('What it wants to do: edit, command, or the name of a tool.'),
  options: z.array(z.strictObject({ id: text, kind: z.enum(['allow', 'deny', 'other']), text })),
});

const one = <T extends string, S extends z.ZodRawShape>(type: T, fields: S) =>
  z.strictObject({ type: z.literal(type), ...fields });

/** What an agent said or did, whichever it is. By `type`, and of tools by `phase`. */
const agentEvents = [
  one('session', { id: text }),
  one('text', { text }),
  one('tool', { phase: z.literal('start'), id: text, name: text, input: text.exactOptional() }),
  one('tool', { phase: z.literal('end'), id: text, name: text, ok: flag, output: text.exactOptional() }),
  one('file', { path: text, change: z.enum(['add', 'update', 'delete']) }),
  one('usage', { turn: usage.exactOptional(), session: usage.exactOptional() }),
  one('limit', { message: text, resetAt: text.exactOptional() }),
  one('question', { question, answer: text }),
  one('denied', { text }),
  one('warning', { text }),
  one('end', {
    exit,
    text: text.exactOptional().describe('The last message, whole.'),
    structured: z.unknown().optional(),
    error: agentError.exactOptional(),
  }),
] as const;

export const agentEvent = like<AgentEvent>()(
  z.union(agentEvents).meta({ id: 'agentEvent', description: 'What an agent said or did.' }),
);
