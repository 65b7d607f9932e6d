import { z } from 'zod';
import type { RunInput } from '../../../app.ts';
import { agentEvent } from './agent-event.ts';
import { v } from './answer.ts';
import { count, id, layout, name, status, text, time } from './parts.ts';

type Progress = Parameters<NonNullable<RunInput['onProgress']>>[0];
const lineHead = { v, at: time, layout, id, name, title: text.exactOptional() };
const stepped = { step: text, title: text.exactOptional() };
const line = <K extends Progress['kind'], S extends z.ZodRawShape>(kind: K, fields: S) =>
  z.strictObject({
    ...lineHead,
    status: status.exactOptional(),
    agent: text.exactOptional(),
    kind: z.literal(kind),
    ...fields,
  });

/** A line of --stream, of whatever runs agents. */
export const progress = [
  line('started', {}),
  line('step', { ...stepped, attempt: count }),
  line('event', { ...stepped, attempt: count, event: agentEvent }),
  line('stepped', { ...stepped, state: text, summary: text }),
  line('ended', {}),
] as const;

export const withStream = 'With --stream a stream of all that happens, with the answer as its last line';
