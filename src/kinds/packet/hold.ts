import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import type { Project } from '../../settings/project.ts';
import { execute } from '../../store/execute.ts';
import type { Finding } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { withOne } from '../one-store.ts';
import { checkPacket } from './check.ts';
import { packetLayout } from './format/layout.ts';
import { idFor } from './format/name.ts';
import { assertPacket } from './place.ts';

const longest = 2000;

/**
 * A run of all that is ordered could not begin it, and nobody reads what such a run printed at night: so it is held, and
 * whoever asks what needs a person is told. Undefined: that is not why, or somebody else was quicker.
 */
export async function holdUnsound(where: Project, id: string, error: unknown): Promise<Task | undefined> {
  if (!(error instanceof DocketError) || !Array.isArray(error.data['findings'])) return undefined;
  const findings = error.data['findings'] as Finding[];
  const text = findings.map(({ message, fix }) => `${message} (${fix})`).join('; ');
  const reason = { kind: 'setup', text: text.slice(0, longest), who: 'a person' } as const;
  const command = { type: 'block', id: idFor(id), by: 'docket', reason } as const;
  return withOne(where, assertPacket(where.root, id), packetLayout, async (store) => {
    const done = await execute(store, command, { now: iso(where.clock) });
    return done.ok ? store.get(command.id) : undefined;
  });
}

/** It was held so, and what it needs is there now. What was begun is for the person who looked at it. */
export async function isSoundAgain(where: Project, id: string, task: Task): Promise<boolean> {
  if (task.status !== 'blocked' || task.reason.kind !== 'setup' || task.run) return false;
  const { findings } = await checkPacket(where, assertPacket(where.root, id));
  return findings.every(({ severity }) => severity !== 'error');
}
