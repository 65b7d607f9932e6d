import { z } from 'zod';
import { name, time } from './parts.ts';

/** agents/<instance>/session.json. Paths are from the agent's folder. */
export const sessionSchema = z.looseObject({
  adapter: z.string().min(1),
  instance: name.exactOptional(),
  agent: z.string().min(1).exactOptional().describe('The role that it plays.'),
  state: z.string().min(1).exactOptional(),
  startedAt: time.exactOptional(),
  attempts: z.int().positive().exactOptional().describe('How often it was started.'),
  vendorSession: z.looseObject({
    tool: z.string().min(1),
    threadId: z.string().min(1).nullable().optional().describe('Null until the vendor has named it.'),
    forkedFromThreadId: z.string().min(1).exactOptional().describe('The session that it is a copy of.'),
    cwd: z.string().min(1),
    codexHome: z.string().min(1).exactOptional(),
  }),
  recording: z.looseObject({
    events: z.string().min(1).describe('What the vendor wrote to its output.'),
    stderr: z.string().min(1),
    requests: z.string().min(1).exactOptional().describe('What was sent to it, where it is a server.'),
  }),
});
