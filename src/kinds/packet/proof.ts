import path from 'node:path';
import type { Prover } from '../../engine/prove.ts';
import type { RealChanges } from '../../gate/seen.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { proverFor } from '../../settings/prove.ts';
import { carriedNames } from './carried.ts';
import { parseStage } from './format/stages.ts';
import { proofFolder, type PacketPlace } from './place.ts';
import type { PacketRun } from './stage-prompt.ts';

/** What its stages brought: what people, or other packets, do in the same tree meanwhile is theirs. */
function changesOf(place: PacketPlace): RealChanges {
  const touched = carriedNames(place).toSorted();
  return { touched, still: touched, others: [] };
}

/** What proves a packet: its own commands, where anything may have been changed or was to be verified. */
export function packetProver(packet: Omit<PacketRun, 'prover'>): Prover {
  const { where, cwd, place, manifest, settings, config, masking, redactor } = packet;
  const writes = (stage: string) => parseStage(stage)?.writes === 'tree';
  const isProved = settings.stages.some(({ stage }) => writes(stage));
  return proverFor(
    { ...where, config },
    {
      cwd,
      masking,
      attempts: { attemptsBy: 'step', attempts: path.join(place.raw, 'attempts') },
      redact: (text) => redactor.redact(text),
      folder: () => makeOwnFolder(place.dir, ...proofFolder),
      scratch: () => makeOwnFolder(where.root, '.docket', 'packet', place.id, 'proof'),
      commands: () => (isProved ? manifest.acceptance.commands : []),
      ...(manifest.budgets.max_wallclock_sec > 0 && {
        timeoutMs: manifest.budgets.max_wallclock_sec * 1000,
      }),
      changes: () => changesOf(place),
      writes: ({ id }) => writes(id),
      name: place.id,
      goOn: `docket packet resume ${place.id}`,
    },
  );
}
