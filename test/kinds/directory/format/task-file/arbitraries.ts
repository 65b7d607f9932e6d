import fc from 'fast-check';
import type { TaskFile } from '../../../../../src/kinds/directory/format/task-file.ts';
import { nastyText, nonEmpty } from '../../../queue/format/arbitraries.ts';

const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/).filter((word) => !(word in Object.prototype));
const time = fc
  .date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const lines = fc.array(nastyText, { maxLength: 4 }).map((parts) => parts.join('\n'));
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const plainly = { noNullPrototype: true } as const;

const milestone = fc.record(
  {
    id: nonEmpty,
    title: nonEmpty,
    state: fc.constantFrom('pending', 'working', 'done', 'blocked'),
    dependsOn: fc.array(nonEmpty, { maxLength: 2 }),
  },
  plainly,
);
const rosterEntry = fc.record(
  {
    instance: name,
    agent: nonEmpty,
    state: fc.constantFrom('pending', 'active', 'awaiting', 'dormant', 'completed', 'failed'),
    assignedMilestone: orNull(nastyText),
    skills: fc.array(nastyText, { maxLength: 2 }),
  },
  plainly,
);
const gate = fc.record(
  {
    id: nonEmpty,
    type: fc.constantFrom('human-approval', 'auto-check', 'milestone-gate'),
    state: fc.constantFrom('open', 'blocked', 'approved', 'rejected'),
    reason: lines,
    instructionsRef: orNull(nastyText),
    blockedAt: orNull(time),
    resolvedAt: orNull(time),
    resolvedBy: orNull(nastyText),
  },
  plainly,
);
const config = fc.record(
  {
    maxConcurrentAgents: fc.integer({ min: 1, max: 10 }),
    timeoutSeconds: fc.integer({ min: 60, max: 1_000_000 }),
    autoApprove: fc.boolean(),
  },
  plainly,
);

export const milestones = fc.uniqueArray(milestone, { selector: ({ id }) => id, maxLength: 4 });
export const roster = fc.uniqueArray(rosterEntry, { selector: ({ instance }) => instance, maxLength: 4 });
export const gates = fc.uniqueArray(gate, { selector: ({ id }) => id, maxLength: 4 });

export const taskFile: fc.Arbitrary<TaskFile> = fc.record(
  {
    id: name,
    title: nonEmpty,
    description: lines,
    topology: fc.constantFrom('swarm', 'squad'),
    state: fc.constantFrom('created', 'working', 'input-required', 'completed', 'failed', 'canceled'),
    createdAt: orNull(time),
    updatedAt: orNull(time),
    milestones,
    roster,
    gates,
    config,
  },
  plainly,
);
