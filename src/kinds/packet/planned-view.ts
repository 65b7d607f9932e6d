import { DocketError } from '../../errors.ts';
import type { Project } from '../../settings/project.ts';
import type { Packet } from './api.ts';
import { resolved } from './settings.ts';
import { manifestOf } from './view.ts';

/** A packet that has never run, with the stages that it will have. */
export function withPlanned(packet: Packet, where: Project): Packet {
  try {
    const { stages } = resolved(manifestOf(packet.task), where, undefined);
    return { ...packet, stages: stages.map(({ stage }) => ({ stage, state: 'pending', reasons: [] })) };
  } catch (error) {
    if (error instanceof DocketError) return packet; // which ones nobody can tell; `validate` says why
    throw error;
  }
}
