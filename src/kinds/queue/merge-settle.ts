import path from 'node:path';
import { someNames } from '../../errors/some-names.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { writePlain } from '../../io/plain-file.ts';
import type { Store } from '../../store/store.ts';
import type { BlockReason, Task } from '../../task/schema.ts';
import { offerBase } from '../../workspace/integrate.ts';
import type { FinishedPlaces, MergedTask, MergeInput } from './finished.ts';
import { notedOf, ownOf } from './format/record.ts';
import type { Candidate, Outcome } from './merge-queue.ts';
import { noteOn } from './note-on.ts';
import { planOf } from './workspace.ts';

interface About {
  into: string;
  input: MergeInput;
  places: FinishedPlaces;
  store: Store;
}

/** Writes down how a merge ended, for people and for the next run of the task. A dry run writes nothing. */
export async function settled(candidate: Candidate, outcome: Outcome, about: About): Promise<MergedTask> {
  const { edits } = candidate;
  const result = await resultOf(candidate, outcome, about);
  return edits.length === 0 ? result : { ...result, edits };
}

async function resultOf(
  { task, commit: theirs }: Candidate,
  outcome: Outcome,
  about: About,
): Promise<MergedTask> {
  const { into, places, store } = about;
  const on = { store, clock: places.clock };
  const dryRun = about.input.dryRun ?? false;
  switch (outcome.state) {
    case 'fits':
      return { task, into, state: 'fits' };
    case 'refused':
      return { task, into, state: 'refused', reason: `${outcome.error.message} (${outcome.error.fix})` };
    case 'merged':
    case 'already': {
      const { state, commit } = outcome;
      if (dryRun) return { task, into, state, commit };
      const before = notedOf(task).merged;
      const merged = state === 'already' && before ? before : { into, commit };
      const delivery = { state: 'merged', ...merged } as const;
      const note = { merged, commit: theirs, note: undefined, deliveryError: undefined, delivery };
      return { task: await noteOn(on, task.id, note, doneAgain(task, into)), into, state, commit };
    }
    case 'conflict': {
      const { files, told } = outcome;
      const names = outcome.together.map((other) => ownOf(other).name);
      const whom = names.length > 0 ? `${listed(names)}, merged into ${into} before it` : into;
      const text = `conflicts with ${whom}: conflicts in ${listed(files)}`;
      return hold(about, task, outcome, text, `${files.join('\n')}\n\n${told}`);
    }
    case 'rejected': {
      const { failures } = outcome;
      const names = outcome.together.map((other) => ownOf(other).name);
      const why = names.length > 0 ? `, though only together with ${listed(names)}` : '';
      const text = `merged into ${into} it fails ${listed(failures.map(({ command }) => command))}${why}`;
      const outputs = failures.map(({ command, code, output }) => `## ${command}: ${code}\n\n${output}`);
      return hold(about, task, outcome, text, outputs.join('\n\n'));
    }
  }
}

/** Blocks a task whose work cannot land, with what speaks against it as evidence. */
async function hold(
  about: About,
  task: Task,
  outcome: Extract<Outcome, { state: 'conflict' | 'rejected' }>,
  text: string,
  details: string,
): Promise<MergedTask> {
  const together = outcome.together.map(({ id }) => id);
  const found = {
    into: about.into,
    state: outcome.state,
    reason: text,
    ...(outcome.state === 'conflict' && { files: outcome.files }),
    ...(together.length > 0 && { together }),
  };
  if (outcome.state === 'conflict' && about.input.dryRun) return { task, ...found };
  const evidence = written(about.places, task, `# ${text}\n\n${details}`);
  const kind = outcome.state === 'conflict' ? 'conflict' : 'verify';
  const after = await blocked(about, task, {
    kind,
    text: `${text} (see ${evidence})`,
    who: 'a person',
    merge: { into: about.into },
  });
  return { task: after, ...found, evidence };
}

/** The way back goes through the queue: who retries it has the reason as a note, and the branch it must fit in its workspace. */
async function blocked({ into, places, store }: About, task: Task, reason: BlockReason): Promise<Task> {
  const { root, clock } = places;
  const plan = planOf(root, task);
  const base = plan ? await offerBase(root, plan, into) : into;
  const why = 'its work could not be merged';
  const note = `${reason.text}. ${base} in this repository is what it has to fit: merge it, and mend what breaks.`;
  const first =
    task.status === 'done'
      ? ({ type: 'reopen', reason: why } as const)
      : ({ type: 'requeue', reason: why } as const);
  return noteOn({ store, clock }, task.id, { note }, [first, { type: 'block', reason }]);
}

/** What was blocked by a merge is done when it is merged. */
function doneAgain(task: Task, into: string): Parameters<typeof noteOn>[3] {
  if (task.status !== 'blocked') return [];
  const owner = `docket-${process.pid}`;
  return [
    { type: 'start', owner, lease: { kind: 'term', until: task.updatedAt } },
    { type: 'settle', verdict: { kind: 'pass', evidence: [into] }, summary: `merged into ${into}` },
  ];
}

function written({ root, dir }: FinishedPlaces, { id }: Task, text: string): string {
  const file = path.join(makeOwnFolder(dir, 'merges'), `${id}.md`);
  writePlain(file, `${text}\n`);
  return path.relative(root, file);
}

function listed(names: readonly string[]): string {
  return someNames(names, 10);
}
