import type { Project } from '../../settings/project.ts';
import type { Task } from '../../task/schema.ts';
import { type FoundOne, readOne } from '../one-store.ts';
import type { Packet } from './api.ts';
import type { Manifest } from './format/manifest.ts';
import { idFor, lazyPacketLayout, packetName } from './format/name.ts';
import { callsOf, ownOf } from './format/own.ts';
import { makerOfRefused, stagesOf, type StageView } from './format/stage-view.ts';
import { assertPacket, folderOfPacket, packetsFolder } from './place.ts';

/** A packet as it is, without a lock and without writing a byte. */
export async function readPacket(where: Project, id: string): Promise<FoundOne> {
  return readOne(where, assertPacket(where.root, id), lazyPacketLayout, idFor(id));
}

export function manifestOf(task: Task): Manifest {
  return ownOf(task).manifest as unknown as Manifest;
}

export function viewOf(task: Task, root?: string): Packet {
  const manifest = manifestOf(task);
  const id = packetName(task);
  const stages = stagesOf(task);
  const maker = task.status === 'failed' ? makerOfRefused(stages) : undefined;
  return {
    id,
    dir: root === undefined ? `${packetsFolder}/${id}` : folderOfPacket(root, id),
    goal: manifest.goal,
    intent: manifest.routing.intent,
    status: task.status,
    stages: stages.map((view) => ({
      stage: view.stage,
      state: view.word,
      reasons: reasonsOf(view),
      ...(view.facts && { exitCode: view.facts.exit_code, seconds: view.facts.duration_sec }),
    })),
    ...(maker !== undefined && { makeAnewFrom: maker }),
    calls: { used: callsOf(task), budget: manifest.budgets.paid_call_budget },
    task,
  };
}

/** What the gate says is what the stage's own reason was made of. */
function reasonsOf({ facts, state }: StageView): string[] {
  const gate = facts?.gate.reasons ?? [];
  return gate.length > 0 || state?.reason === undefined ? gate : [state.reason];
}
