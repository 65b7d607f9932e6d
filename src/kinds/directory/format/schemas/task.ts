import { z } from 'zod';
import { idPattern } from '../../../../task/id.ts';
import { gateKinds } from '../../../../task/run.ts';
import { text, time } from './parts.ts';

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
  type: z.enum(gateKinds),
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

export const taskSchema = z.looseObject({
  id: z.string().regex(idPattern),
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
