import { isPerson } from '../../../task/evolve-trail.ts';
import type { Gate } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { notesFile } from './new-task.ts';
import type { FileGate, Own } from './task-file.ts';

/** The gates of the file, each as the run knows it once it has been closed there, and the run's own behind them. */
export function gatesOf({ run }: Task, own: Own): FileGate[] {
  const gates = new Map(own.gates.map((gate) => [gate.id, gate]));
  for (const [id, gate] of Object.entries(run?.gates ?? {})) gates.set(id, spelled(id, gate));
  return [...gates.values()];
}

function spelled(id: string, gate: Gate): FileGate {
  const { kind, state, reason, blockedAt, resolvedAt = null, resolvedBy } = gate;
  return {
    id,
    type: kind,
    state,
    reason,
    instructionsRef: `./${notesFile}`,
    blockedAt,
    resolvedAt,
    resolvedBy: resolvedBy === undefined ? null : isPerson(resolvedBy) ? 'human' : 'auto',
  };
}
