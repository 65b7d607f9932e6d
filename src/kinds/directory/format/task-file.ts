import * as v from 'valibot';
import { quoted } from '../../../schema/problem.ts';
import { hints, knownKeys, listBy, otherwise, text, time, whole, words } from '../../../schema/schemas.ts';
import { idPattern, isTaskId } from '../../../task/id.ts';
import { upTo } from './schema-parts.ts';

/** The words of task.yaml, with the older ones that mean the same. Keys stand in the order in which they are written. */
const topology = words(['swarm', 'squad']);
const states = ['created', 'working', 'input-required', 'completed', 'failed', 'canceled'] as const;
const milestoneStates = ['pending', 'working', 'done', 'blocked'] as const;
const rosterStates = ['pending', 'active', 'awaiting', 'dormant', 'completed', 'failed'] as const;

const notName = ({ input }: { input: string }) => `${quoted(input)} is no name`;
const name = v.pipe(
  v.string(),
  v.regex(idPattern, notName),
  v.check((id) => isTaskId(id), notName),
  hints({ fix: 'Use 1 to 128 letters, digits, "_" and "-".' }),
);
const timeOrNull = otherwise(v.nullable(time), null);
const textOrNull = otherwise(v.nullable(v.string()), null);

const milestone = knownKeys({
  id: text,
  title: text,
  state: otherwise(words(milestoneStates, { in_progress: 'working' }), 'pending'),
  dependsOn: otherwise(v.array(text), []),
});
const rosterEntry = knownKeys({
  instance: name,
  agent: text,
  state: otherwise(words(rosterStates, { created: 'pending' }), 'pending'),
  assignedMilestone: textOrNull,
  skills: otherwise(v.array(v.string()), []),
});
const gate = knownKeys({
  id: text,
  type: words(['human-approval', 'auto-check', 'milestone-gate']),
  state: words(['open', 'blocked', 'approved', 'rejected']),
  reason: otherwise(v.string(), ''),
  instructionsRef: textOrNull,
  blockedAt: timeOrNull,
  resolvedAt: timeOrNull,
  resolvedBy: textOrNull,
});
const parts = {
  milestones: otherwise(listBy('id', milestone), []),
  roster: otherwise(listBy('instance', rosterEntry), []),
  gates: otherwise(listBy('id', gate), []),
  config: otherwise(
    knownKeys({
      maxConcurrentAgents: otherwise(whole(1, 10), 3),
      timeoutSeconds: otherwise(whole(60), 3600),
      autoApprove: otherwise(v.boolean(), false),
    }),
    {},
  ),
};

/** What the file says that the core model has no place for. */
export const ownSchema = knownKeys({ topology: otherwise(topology, 'swarm'), ...parts });
export type Own = v.InferOutput<typeof ownSchema>;
export type Topology = Own['topology'];
export type Milestone = Own['milestones'][number];
export type RosterEntry = Own['roster'][number];
export type FileGate = Own['gates'][number];

export const taskFileSchema = knownKeys({
  id: name,
  title: text,
  description: otherwise(v.string(), ''),
  topology,
  state: words(states, { 'gate.blocked': 'input-required', cancelled: 'canceled' }),
  createdAt: timeOrNull,
  updatedAt: timeOrNull,
  ...parts,
});
export type TaskFile = v.InferOutput<typeof taskFileSchema>;

/** task.yaml as it is written, and as it is published: older words are read, never written. */
export const taskSchema = knownKeys({
  ...taskFileSchema.entries,
  title: upTo(200),
  state: v.picklist(states),
  milestones: otherwise(v.array(knownKeys({ ...milestone.entries, state: v.picklist(milestoneStates) })), []),
  roster: otherwise(v.array(knownKeys({ ...rosterEntry.entries, state: v.picklist(rosterStates) })), []),
});

/** By which key the items of a list are known. */
export const itemKeys: Readonly<Record<string, string>> = {
  milestones: 'id',
  roster: 'instance',
  gates: 'id',
};
