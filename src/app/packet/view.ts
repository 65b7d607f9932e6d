import { packetLayout } from '../../layout/packet/layout.ts';
import type { Manifest } from '../../layout/packet/manifest.ts';
import { idFor, packetName } from '../../layout/packet/name.ts';
import { callsOf, ownOf } from '../../layout/packet/own.ts';
import { stagesOf } from '../../layout/packet/stage-view.ts';
import type { Finding } from '../../store/backend.ts';
import type { Task } from '../../task/schema.ts';
import { readOne, type Where } from '../one-store.ts';
import type { Packet } from './api.ts';
import { assertPacket, packetsFolder } from './place.ts';

/** A packet as it is, without a lock and without writing a byte. */
export function readPacket(where: Where, id: string): { task: Task; findings: Finding[] } {
  return readOne(where, assertPacket(where.root, id), packetLayout, idFor(id));
}

export function manifestOf(task: Task): Manifest {
  return ownOf(task).manifest as unknown as Manifest;
}

export function viewOf(task: Task): Packet {
  const manifest = manifestOf(task);
  const id = packetName(task);
  return {
    id,
    dir: `${packetsFolder}/${id}`,
    goal: manifest.goal,
    intent: manifest.routing.intent,
    status: task.status,
    stages: stagesOf(task).map(({ stage, word, facts, state }) => ({
      stage,
      state: word,
      reasons: [...(facts?.gate.reasons ?? []), ...(state?.reason === undefined ? [] : [state.reason])],
      ...(facts && { exitCode: facts.exit_code, seconds: facts.duration_sec }),
    })),
    calls: { used: callsOf(task), budget: manifest.budgets.paid_call_budget },
    task,
  };
}
