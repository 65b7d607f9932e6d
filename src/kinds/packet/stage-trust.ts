import { DerivedFiles } from '../../store/derived-files.ts';
import type { Task } from '../../task/schema.ts';
import { readInput, writeOutput } from './files.ts';
import { packetLayout } from './format/layout.ts';
import { putBackOf } from './left-by-agents.ts';
import { keptToScope, type GateInput, type StageGate } from './stage-gate.ts';
import type { Touched } from './trusted.ts';

/**
 * No stage has a say in what it is held to: what its agent changed of the manifest, the inputs, the settings or the files
 * that docket writes is what it was again, before the gate reads any of it.
 */
export async function heldToTrust(
  {
    settings,
    trusted,
    where,
    dir,
    place,
  }: Pick<GateInput, 'settings' | 'trusted' | 'where' | 'dir' | 'place'>,
  task: Task,
): Promise<Touched | undefined> {
  // Done markers and gate results say what the journal says, whoever wrote them.
  new DerivedFiles(dir, packetLayout, where.warn).write(task);
  return putBackOf(where, place, trusted, settings.stage);
}

/** The stage failed by that alone; what else it did is held to its scope. */
export async function failedByTouch(input: GateInput, { paths, patch }: Touched): Promise<StageGate> {
  const { settings, dir, redactor } = input;
  const scope = await keptToScope(input);
  const name = `outputs/${settings.stage}.undone.patch`;
  const strays = scope ? (readInput(dir, name) ?? '') : '';
  writeOutput(dir, name, (await redactor.redact(patch.toString('utf8'))) + strays);
  const reasons = paths
    .slice(0, 50)
    .map((path) => `${path}: is not for an agent to change; people change it when no stage runs (undone)`);
  return {
    result: 'scope_violation',
    reasons: [...reasons, ...(scope?.reasons ?? [])],
    undone: {
      paths: await redactor.redactAll([...paths, ...(scope?.undone?.paths ?? [])].slice(0, 200)),
      patch: name,
    },
  };
}
