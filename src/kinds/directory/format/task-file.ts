import { count, list, name, shape, text, textOrNull, time, word, yesNo } from '../../../schema/rule.ts';
import type { StateWord } from './words.ts';

/** The words of task.yaml, with the older ones that mean the same. Keys stand in the order in which they are written. */
const topologies = ['swarm', 'squad'] as const;
const states = ['created', 'working', 'input-required', 'completed', 'failed', 'canceled'] as const;
const milestoneStates = ['pending', 'working', 'done', 'blocked'] as const;
const rosterStates = ['pending', 'active', 'awaiting', 'dormant', 'completed', 'failed'] as const;
const gateTypes = ['human-approval', 'auto-check', 'milestone-gate'] as const;
const gateStates = ['open', 'blocked', 'approved', 'rejected'] as const;

export type Topology = (typeof topologies)[number];
export type Milestone = {
  id: string;
  title: string;
  state: (typeof milestoneStates)[number];
  dependsOn: string[];
};
export type RosterEntry = {
  instance: string;
  agent: string;
  state: (typeof rosterStates)[number];
  assignedMilestone: string | null;
  skills: string[];
};
export type FileGate = {
  id: string;
  type: (typeof gateTypes)[number];
  state: (typeof gateStates)[number];
  reason: string;
  instructionsRef: string | null;
  blockedAt: string | null;
  resolvedAt: string | null;
  resolvedBy: string | null;
};
type Config = { maxConcurrentAgents: number; timeoutSeconds: number; autoApprove: boolean };

/** What the file says that the core model has no place for. */
export type Own = {
  topology: Topology;
  milestones: Milestone[];
  roster: RosterEntry[];
  gates: FileGate[];
  config: Config;
};
export type TaskFile = Own & {
  id: string;
  title: string;
  description: string;
  state: StateWord;
  createdAt: string | null;
  updatedAt: string | null;
};

const milestone = shape<Milestone>({
  id: text(),
  title: text(),
  state: word(milestoneStates, { in_progress: 'working' }, 'pending'),
  dependsOn: list(text()),
});
const rosterEntry = shape<RosterEntry>({
  instance: name,
  agent: text(),
  state: word(rosterStates, { created: 'pending' }, 'pending'),
  assignedMilestone: textOrNull,
  skills: list(text('')),
});
const gate = shape<FileGate>({
  id: text(),
  type: word(gateTypes),
  state: word(gateStates),
  reason: text(''),
  instructionsRef: textOrNull,
  blockedAt: time,
  resolvedAt: time,
  resolvedBy: textOrNull,
});
const parts = {
  milestones: list(milestone, 'id'),
  roster: list(rosterEntry, 'instance'),
  gates: list(gate, 'id'),
  config: shape<Config>({
    maxConcurrentAgents: count(1, 10, 3),
    timeoutSeconds: count(60, Number.MAX_SAFE_INTEGER, 3600),
    autoApprove: yesNo(false),
  }),
};

export const ownRule = shape<Own>({ topology: word(topologies, {}, 'swarm'), ...parts });

export const taskFileRule = shape<TaskFile>({
  id: name,
  title: text(),
  description: text(''),
  topology: word(topologies),
  state: word<StateWord>(states, { 'gate.blocked': 'input-required', cancelled: 'canceled' }),
  createdAt: time,
  updatedAt: time,
  ...parts,
});

/** By which key the items of a list are known. */
export const itemKeys: Readonly<Record<string, string>> = {
  milestones: 'id',
  roster: 'instance',
  gates: 'id',
};
