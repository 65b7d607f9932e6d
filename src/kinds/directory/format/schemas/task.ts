import * as v from 'valibot';
import { openKeys, otherwise, time, whole, maybe } from '../../../../schema/schemas.ts';
import { idPattern } from '../../../../task/id.ts';
import { gateKinds } from '../../../../task/run.ts';
import { upTo } from './parts.ts';

/** task.yaml as it is written. Keys of others are welcome everywhere; words of older versions are read, never written. */
const milestone = openKeys({
  id: v.string(),
  title: v.string(),
  state: v.picklist(['pending', 'working', 'done', 'blocked']),
  dependsOn: otherwise(v.array(v.string()), []),
});

const agentInstance = openKeys({
  instance: v.string(),
  agent: v.string(),
  state: v.picklist(['pending', 'active', 'awaiting', 'dormant', 'completed', 'failed']),
  assignedMilestone: v.nullish(v.string()),
  skills: otherwise(v.array(v.string()), []),
});

const gate = openKeys({
  id: v.string(),
  type: v.picklist(gateKinds),
  state: v.picklist(['open', 'blocked', 'approved', 'rejected']),
  reason: otherwise(v.string(), ''),
  instructionsRef: v.nullish(v.string()),
  blockedAt: v.nullish(time),
  resolvedAt: v.nullish(time),
  resolvedBy: v.nullish(v.string()),
});

const config = openKeys({
  maxConcurrentAgents: otherwise(whole(1, 10), 3),
  timeoutSeconds: otherwise(whole(60), 3600),
  autoApprove: otherwise(v.boolean(), false),
});

export const taskSchema = openKeys({
  id: v.pipe(v.string(), v.regex(idPattern)),
  title: upTo(200),
  description: otherwise(v.string(), ''),
  topology: v.picklist(['swarm', 'squad']),
  state: v.picklist(['created', 'working', 'input-required', 'completed', 'failed', 'canceled']),
  createdAt: maybe(time),
  updatedAt: maybe(time),
  milestones: otherwise(v.array(milestone), []),
  roster: otherwise(v.array(agentInstance), []),
  gates: otherwise(v.array(gate), []),
  config: maybe(config),
});
