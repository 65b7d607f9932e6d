import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import type { GateAnswer } from '../../render/gates.ts';
import { maskWords } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { execute } from '../../store/execute.ts';
import type { Store } from '../../store/store.ts';
import { isProofQuestion, proofChoices } from '../../task/proof-question.ts';
import type { Gate } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { refused } from '../refused.ts';
import { keepNotes, newWords, readNotes } from './context.ts';
import type { TaskPlace } from './place.ts';

async function answered(
  store: Store,
  where: Project,
  id: string,
  gate: string,
  { by, ...answer }: GateAnswer,
): Promise<Task> {
  const words = await maskWords(where, answer);
  const done = await execute(store, { type: 'answer', id, by, gate, ...words }, { now: iso(where.clock) });
  if (done.ok) return done.task;
  const { code, message, data } = refused(done.refusal);
  throw new DocketError(code, message, fix`see what waits: ${command`gate list ${id}`}`, data);
}

/**
 * What a person has written into the notes since a gate closed is their answer to it, where it is known what they said
 * then. Gates at which an agent waits for a choice need one: notes do not answer them. Work that is not proved goes back
 * to its workers with the notes; only a command or task.yaml accepts it.
 */
export async function answerByNotes(store: Store, where: Project, place: TaskPlace): Promise<void> {
  const task = await store.get(place.id);
  const notes = await maskWords(where, readNotes(place.dir));
  for (const [gate, facts] of closedGates(task)) {
    const isProof = isProofQuestion(facts);
    if (facts.options && !(isProof && facts.steps?.length)) continue;
    const before = await notesBefore(store, facts);
    const words = before === undefined ? '' : newWords(before, notes);
    if (words === '') continue;
    const answer: GateAnswer = { decision: 'approved', by: 'human', note: words.slice(0, 16_000) };
    const choice = isProof ? { choice: proofChoices.back } : {};
    await answered(store, where, place.id, gate, { ...answer, ...choice, times: facts.times });
  }
}

async function notesBefore(store: Store, { notes }: Gate): Promise<string | undefined> {
  const bytes = notes === undefined ? undefined : await store.blobs.get(notes);
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** What the notes say while a gate closes, by its hash. Where they cannot be read, only a command answers it. */
export async function keptNotes(store: Store, where: Project, place: TaskPlace): Promise<string | undefined> {
  try {
    keepNotes(place.dir);
    return await store.blobs.put(Buffer.from(await maskWords(where, readNotes(place.dir))));
  } catch (error) {
    if (!(error instanceof DocketError) || error.code === 'DISK_FULL') throw error;
    where.warn(`${error.message} (new notes will not answer the gate)`);
    return undefined;
  }
}

function closedGates(task: Task | undefined): [string, Gate][] {
  return Object.entries(task?.run?.gates ?? {}).filter(([, { state }]) => state === 'blocked');
}

/** A question about proof does not stop a resume: docket checks again what a person may have fixed. */
export function waitsForPerson(task: Task): DocketError | undefined {
  const closed = closedGates(task).filter(([, gate]) => !isProofQuestion(gate));
  if (closed.length === 0) return undefined;
  const [[gate] = ['']] = closed;
  const reasons = closed.map(([name, { reason }]) => `${name}: ${reason.split('\n', 1)[0]}`).join('; ');
  return new DocketError(
    'NEEDS_PERSON',
    `task ${task.id} waits for a person: ${reasons}`,
    fix`write into .agentmesh/tasks/${task.id}/shared/human-notes.md, or: ${command`gate approve ${task.id} ${gate} --note "…"`}`,
    { id: task.id, gates: closed.map(([name]) => name) },
  );
}
