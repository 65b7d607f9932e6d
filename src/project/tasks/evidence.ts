import path from 'node:path';
export { changedProofIn as changedProof } from '../../gate/seen.ts';
import { readEvidence, readOutput, type ShownEvidence } from '../../engine/evidence-book.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { sha256 } from '../../gate/evidence.ts';
import type { Project } from '../../settings/project.ts';
import type { KindName } from '../../task/kind-names.ts';
import { ambiguous, matcherIn } from './find.ts';
import { kindNamed } from './kinds.ts';

/** What docket saw of one task's work. */
interface TaskEvidence {
  layout: KindName;
  id: string;
  /** Where it is kept, from the root. */
  folder: string;
  entries: ShownEvidence[];
}

type Place = Pick<Project, 'root' | 'clock'>;

/** `of`: where more than one thing has that name. `entry`: one of them, to be opened. */
export interface EvidenceQuery {
  of?: string | undefined;
  entry?: string | undefined;
}

export interface ReadEvidence {
  found: TaskEvidence;
  /** With what its command printed, exactly. */
  opened?: { entry: ShownEvidence; output: string };
}

/** Reads only. */
export async function readEvidenceOf(where: Place, ref: string, query: EvidenceQuery): Promise<ReadEvidence> {
  const found = await evidenceOf(where, ref, query.of);
  if (query.entry === undefined) return { found };
  const entry = entryNamed(found, query.entry);
  return { found, opened: { entry, output: outputOf(where.root, found, entry) } };
}

/** Of tasks of one name those count of which something was proved. */
async function evidenceOf(where: Place, ref: string, of: string | undefined): Promise<TaskEvidence> {
  const found = await matcherIn(where)(ref, of);
  const read = found.map((one) => {
    const folder = kindNamed(one.kind).evidence(one, where.root);
    const id = kindNamed(one.kind).idOf(one.task);
    return { layout: one.kind, id, folder, entries: readEvidence(where.root, folder, one.task.id) };
  });
  const full = read.filter(({ entries }) => entries.length > 0);
  const [first, ...others] = full.length > 0 ? full : read;
  if (first && (others.length === 0 || full.length === 0)) return first;
  throw ambiguous(
    ref,
    found.filter((_, at) => (read[at]?.entries.length ?? 0) > 0),
  );
}

/** What a command printed, exactly; an error if the file is another now. */
function outputOf(root: string, { folder }: TaskEvidence, entry: ShownEvidence): string {
  const text = entry.output && readOutput(path.join(root, folder), entry.output.file);
  if (entry.output === undefined) return '';
  if (text !== undefined && sha256(text) === entry.output.sha256) return text;
  const file = path.join(folder, entry.output.file);
  const what = text === undefined ? 'is gone' : 'is not what docket wrote there';
  throw new DocketError(
    'REFUSED',
    `the output of ${entry.id} ${what}: ${file}`,
    'it proves nothing any more',
    {
      id: entry.id,
      path: file,
    },
  );
}

/** By its id, or by how one id alone begins. */
function entryNamed({ entries, id }: TaskEvidence, ref: string): ShownEvidence {
  const wanted = ref.startsWith('ev-') ? ref : `ev-${ref}`;
  const meant = entries.filter((entry) => entry.id === wanted || entry.id.startsWith(wanted));
  const ids = [...new Set(meant.map((entry) => entry.id))];
  if (meant[0] && ids.length === 1) return meant[0];
  const what = meant[0] ? `${ids.length} entries begin with` : 'there is no entry';
  const todo = meant[0]
    ? `say which: ${ids.slice(0, 10).join(', ')}`
    : fix`${command`evidence ${id}`} lists them`;
  throw new DocketError(meant[0] ? 'INVALID' : 'NOT_FOUND', `${what} "${ref}"`, todo, { ref });
}
