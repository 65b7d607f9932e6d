import { z } from 'zod';

/** The files of a task directory as answers show them. */
const name = z.string().regex(/^[A-Za-z0-9_-]+$/);
/** JSON schemas count characters, JavaScript counts halves of some: what a schema allows must pass here. */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .refine((value) => value.length <= max || (value.length <= 2 * max && Array.from(value).length <= max), {
      error: ({ input }) => `is ${(input as string).length} characters long; at most ${max} are allowed`,
    })
    .meta({ maxLength: max });

const time = z.iso.datetime({ offset: true });

/** task.yaml as it is written. Keys of others are welcome everywhere; words of older versions are read, never written. */
const milestone = z.looseObject({
  id: z.string(),
  title: z.string(),
  state: z.enum(['pending', 'working', 'done', 'blocked']),
  dependsOn: z.array(z.string()).default([]),
});

const agentInstance = z.looseObject({
  instance: z.string(),
  agent: z.string(),
  state: z.enum(['pending', 'active', 'awaiting', 'dormant', 'completed', 'failed']),
  assignedMilestone: z.string().nullable().exactOptional(),
  skills: z.array(z.string()).default([]),
});

const gate = z.looseObject({
  id: z.string(),
  type: z.enum(['human-approval', 'milestone-gate', 'auto-check']),
  state: z.enum(['open', 'blocked', 'approved', 'rejected']),
  reason: z.string().default(''),
  instructionsRef: z.string().nullable().exactOptional(),
  blockedAt: time.nullable().exactOptional(),
  resolvedAt: time.nullable().exactOptional(),
  resolvedBy: z.string().nullable().exactOptional(),
});

const config = z.looseObject({
  maxConcurrentAgents: z.int().min(1).max(10).default(3),
  timeoutSeconds: z.int().min(60).default(3600),
  autoApprove: z.boolean().default(false),
});

export const directorySchema = z.looseObject({
  id: name,
  title: text(200),
  description: z.string().default(''),
  topology: z.enum(['swarm', 'squad']),
  state: z.enum(['created', 'working', 'input-required', 'completed', 'failed', 'canceled']),
  createdAt: time.exactOptional(),
  updatedAt: time.exactOptional(),
  milestones: z.array(milestone).default([]),
  roster: z.array(agentInstance).default([]),
  gates: z.array(gate).default([]),
  config: config.exactOptional(),
});
