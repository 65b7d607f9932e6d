import { DocketError } from '../../errors.ts';
import type { Project } from '../../settings/project.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Task } from '../../task/schema.ts';
import type { Contents } from '../../workspace/kept-files.ts';
import type { RunPacketInput } from './api.ts';
import { writeOutput } from './files.ts';
import { ownOf } from './format/own.ts';
import type { PacketPlace } from './place.ts';
import type { Redactor } from './redactor.ts';
import {
  forgetTrusted,
  frozenHash,
  putBackTouched,
  readTrusted,
  trustedNow,
  type Touched,
} from './trusted.ts';

/** By stage, what was there before its agent, as long as nobody has looked what became of it. */
export type TrustedByStage = Map<string, Contents>;

/**
 * Docket died while an agent was at work. What was changed since then counts as the agent's and is put back before
 * anything of it is read; nobody can tell any more whether a person did it.
 */
export async function putBackAfterCrash(
  where: Project,
  place: PacketPlace,
  task: Task | undefined,
  { from, force }: Pick<RunPacketInput, 'from' | 'force'>,
): Promise<{ trusted: TrustedByStage; touched: Map<string, Touched> }> {
  const trusted: TrustedByStage = new Map();
  const touched = new Map<string, Touched>();
  if (!task || task.status === 'running') return { trusted, touched }; // by a docket that lives
  const { frozen } = ownOf(task);
  for (const { step } of openAttempts(task)) {
    const noted = readTrusted(where, place, step);
    const isSame = (found: Contents): boolean => frozen === undefined || frozenHash(found) === frozen;
    if (!noted || !isSame(noted)) {
      const isSaid = from !== undefined || force === true;
      if (!isSaid && !isSame(noted ?? trustedNow(where, place.id))) throw changedUnseen(place.id, step);
      continue;
    }
    trusted.set(step, noted);
    const found = await putBackTouched(where, place, noted);
    if (found) touched.set(step, found);
  }
  return { trusted, touched };
}

function changedUnseen(id: string, stage: string): DocketError {
  return new DocketError(
    'REFUSED',
    `the manifest, the inputs or the settings of packet ${id} were changed while ${stage} was at work, and what they were is not known any more`,
    `look at them, then say that they hold: docket packet run ${id} --from ${stage}`,
    { id, stage },
  );
}

/** What an agent that was ended has left is put back too, and kept. */
export async function putBackLeft(
  { where, place, redactor, trusted }: Keeping & { place: PacketPlace; trusted: TrustedByStage },
  stage: string,
): Promise<void> {
  const touched = await putBackOf(where, place, trusted, stage);
  if (touched) await keepTouched({ where, dir: place.dir, redactor }, stage, touched);
}

/** Once: what people do after the agent's end is theirs. */
export async function putBackOf(
  where: Project,
  place: PacketPlace,
  trusted: TrustedByStage,
  stage: string,
): Promise<Touched | undefined> {
  const before = trusted.get(stage);
  if (!before) return undefined;
  const touched = await putBackTouched(where, place, before);
  trusted.delete(stage);
  forgetTrusted(place, stage);
  return touched;
}

interface Keeping {
  where: Project;
  redactor: Redactor;
}

export async function keepTouched(
  { where, dir, redactor }: Keeping & { dir: string },
  stage: string,
  { paths, patch }: Touched,
): Promise<void> {
  const name = `outputs/${stage}.undone.patch`;
  writeOutput(dir, name, await redactor.redact(patch.toString('utf8')));
  where.warn(
    `changed while ${stage} was at work, and put back: ${paths.join(', ')}. The change is kept in ${dir}/${name}; if it was yours, make it again now`,
  );
}
