import { z } from 'zod';
import type { Packet } from '../../../kinds/packet/api.ts';
import { count, id, like, status, text } from './parts.ts';

const stage = like<Packet['stages'][number]>()(
  z.strictObject({
    stage: text,
    state: text,
    exitCode: z.int().exactOptional(),
    seconds: z.number().exactOptional(),
    reasons: z.array(text).describe('Why it failed, or was undone.'),
  }),
);

/** What is said of every packet. */
export const packet = like<Omit<Packet, 'task'>>()(
  z.strictObject({
    id,
    status,
    dir: text.describe('From the root.'),
    goal: text,
    intent: text,
    stages: z.array(stage),
    calls: z.strictObject({ used: count, budget: count }),
    why: text.exactOptional().describe('Why it stands still.'),
    archived: z.literal(true).exactOptional(),
    makeAnewFrom: text.exactOptional().describe('What it made did not pass: run it from this stage.'),
  }),
).shape;
