import path from 'node:path';
import { notedTree } from '../../engine/tree-notes.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { ownFingerprint } from '../../io/files.ts';
import { git } from '../../io/git.ts';
import type { Task } from '../../task/schema.ts';
import { branchesOf, commitOf, ownRef } from '../../workspace/branch.ts';
import { commitDiff, workTreeDiff } from '../../workspace/integrate-diff.ts';
import { readMarker } from '../../workspace/marker.ts';
import { changeSince, type TreeState } from '../../workspace/tree.ts';
import type { Left } from '../act.ts';
import type { Diff, DiffForm, FinishedPlaces, Others } from './finished.ts';
import { notedOf } from './format/record.ts';
import { taskNamed } from './ids.ts';

/** What a task changed: in its workspace with what is not committed, else on its branch, else in place. */
export async function diffOf(places: FinishedPlaces, ref: string, form: DiffForm): Promise<Diff> {
  const task = taskNamed((await places.read({})).tasks, ref);
  const { workspace, branch, baseCommit, commit } = notedOf(task);
  const { root } = places;
  if (baseCommit === undefined) return inPlaceDiff(places, task, form);
  if (workspace !== undefined && readMarker(workspace, { root, id: task.id })) {
    const text = await workTreeDiff(workspace, baseCommit, form);
    return { task, text, base: baseCommit, workspace };
  }
  const { commits } = await branchesOf(root);
  const tip = (branch && commits.get(branch)) ?? (await commitOf(root, ownRef(task.id))) ?? commit;
  if (tip === undefined || (await commitOf(root, tip)) === undefined)
    throw new DocketError(
      'NOT_FOUND',
      `neither the workspace nor the branch of task ${task.id} is there any more`,
      fix`${command`restore`} brings back what was kept`,
      { id: task.id, branch },
    );
  return { task, text: await commitDiff(root, [baseCommit, tip], form), base: baseCommit };
}

/** The tree before a step and after it, as docket saw it then. */
interface Span {
  before: TreeState;
  after: TreeState | undefined;
}

/**
 * What a task did in the people's own tree: the files that were others after its steps than before. Nothing keeps their
 * contents of then, so a file that was touched again since is named and left out, unless its part was committed.
 */
export async function inPlaceDiff(
  { root, dir }: Pick<FinishedPlaces, 'root' | 'dir'>,
  task: Task,
  form: DiffForm,
): Promise<Diff> {
  const spans = spansOf(dir, task);
  const [first] = spans;
  const base = first?.before.head ?? '';
  if (!first || base === '') throw unknown(task);
  const about = { task, base, inPlace: true } as const;
  const end = spans.at(-1)?.after;
  if (!end || task.status === 'running' || spans.some(({ after }) => !after)) {
    const { paths } = await changeSince(root, first.before);
    const before = paths.filter((name) => first.before.dirty.has(name));
    const others: Others = { since: true, ...(before.length > 0 && { before }) };
    return { ...about, text: await workTreeDiff(root, base, form, paths), others };
  }
  const paths = await pathsIn(root, spans);
  const [open, committed] = [
    paths.filter((name) => end.dirty.has(name)),
    paths.filter((name) => !end.dirty.has(name)),
  ];
  const leftOut = open.filter((name) => isTouched(root, name, end));
  const own = open.filter((name) => !leftOut.includes(name));
  const text = [
    ...(committed.length > 0 ? [await commitDiff(root, [base, end.head], form, committed)] : []),
    ...(own.length > 0 ? [await workTreeDiff(root, base, form, own)] : []),
  ].join('');
  const before = own.filter((name) => first.before.dirty.has(name));
  const others: Others = { ...(leftOut.length > 0 && { leftOut }), ...(before.length > 0 && { before }) };
  return { ...about, text, ...(Object.keys(others).length > 0 && { others }) };
}

function spansOf(dir: string, { id, run }: Task): Span[] {
  return (run?.steps ?? []).flatMap((step) => {
    const before = notedTree(dir, [id, step.id]);
    return before ? [{ before, after: notedTree(dir, [id, step.id], 'after') }] : [];
  });
}

/** Step by step: what people did between two of them is not the task's. */
async function pathsIn(root: string, spans: readonly Span[]): Promise<string[]> {
  const paths = new Set<string>();
  for (const { before, after } of spans)
    for (const name of (await changeSince(root, before, after)).paths) paths.add(name);
  return [...paths].toSorted();
}

/** A commit leaves the file as it is: only whoever writes it changes its fingerprint. */
function isTouched(root: string, name: string, { dirty }: TreeState): boolean {
  const then = dirty.get(name)?.split(' ').at(-1);
  return (ownFingerprint(path.join(root, name)) ?? '') !== then;
}

function unknown({ id, status }: Task): DocketError {
  if (status === 'queued')
    return new DocketError('NOT_FOUND', `task ${id} has not run yet`, fix`run it: ${command`run ${id}`}`, {
      id,
    });
  const todo = 'it was worked on in place: see "git diff" and "git log"';
  return new DocketError('NOT_FOUND', `what task ${id} changed cannot be told`, todo, { id });
}

/** The files that a task changed in people's own tree and nobody has taken back; undefined: none, or nobody can tell. */
export async function leftInPlace(
  places: { root: string; dir: string },
  task: Task,
): Promise<Left | undefined> {
  try {
    const { text, others } = await inPlaceDiff(places, task, 'names');
    const files = [...text.split('\n').filter((name) => name !== ''), ...(others?.leftOut ?? [])];
    if (files.length === 0) return undefined;
    const repository = (await git(places.root, ['rev-parse', '--show-toplevel'])).replace(/\n$/, '');
    const isUnsure = others?.since === true && others.before === undefined;
    const whose = { alone: others === undefined, ...(isUnsure && { unsure: true as const }) };
    return { files: files.toSorted(), ...whose, repository };
  } catch (error) {
    // It is canceled all the same: what cannot be told is not what was asked for.
    if (error instanceof DocketError) return undefined;
    throw error;
  }
}
