import path from 'node:path';
import { keptText, keptTrees, trailFolder, type KeptTree } from '../../engine/tree-trail.ts';
import { isDirectory } from '../../io/find-up.ts';
import { tryGit } from '../../io/git.ts';
import type { FoundTask, Patch } from '../../kinds/kind.ts';
import type { StepDiff } from '../../render/explain/types.ts';
import { lineDiff } from '../../render/line-diff.ts';
import type { Masker } from '../../render/masker.ts';
import type { Loop } from '../../task/loop.ts';
import type { End } from '../../task/trail-schema.ts';
import { kindNamed } from '../tasks/kinds.ts';

interface Where {
  root: string;
  masker: Pick<Masker, 'text'>;
}

const mostFiles = 20;
const longestPatch = 64 * 1024;

/** What the last two steps of a loop changed, the older one first. */
export async function lastDiffs(found: FoundTask, loop: Loop, where: Where): Promise<StepDiff[]> {
  const trail = found.task.run?.trail ?? [];
  if (loop.kind === 'restart') return [];
  // Where nothing changes there is nothing to show, and that is what is shown.
  if (loop.kind === 'same') return loop.ends.slice(-2).map(({ step = '', at }) => ({ step, at, patch: '' }));
  const ends = trail.filter(({ changed, step }) => changed && step !== undefined).slice(-2);
  return Promise.all(ends.map((end) => diffOf(end, found, where)));
}

async function diffOf(end: End, found: FoundTask, where: Where): Promise<StepDiff> {
  const { step = '', at } = end;
  const kind = kindNamed(found.kind);
  const made = (await kind.patchOf?.(where.root, found, end)) ?? (await keptPatch(step, found, where));
  const patch = where.masker.text(made.patch);
  const isLong = patch.length > longestPatch;
  return {
    step,
    at,
    patch: isLong ? patch.slice(0, patch.lastIndexOf('\n', longestPatch)) : patch,
    ...((made.partial || isLong) && { partial: true }),
  };
}

async function keptPatch(step: string, found: FoundTask, { root, masker }: Where): Promise<Patch> {
  const { folder, cwd } = placesOf(found, root);
  const kept = keptTrees(folder, step);
  if (!kept?.before) return { patch: '', partial: true };
  const { before, after } = kept;
  const moved = before.head === after.head ? [] : await committed(cwd, before.head, after.head);
  const names = [...new Set([...before.files.keys(), ...after.files.keys(), ...moved])]
    .filter((name) => before.files.get(name) !== after.files.get(name) || moved.includes(name))
    .toSorted();
  const text = async (tree: KeptTree, name: string): Promise<string | undefined> => {
    const id = tree.files.get(name);
    if (id === '') return '';
    if (id !== undefined) return keptText(folder, id);
    const text = await blob(cwd, tree.head, name);
    return text === undefined ? undefined : masker.text(text);
  };
  const patches: string[] = [];
  for (const name of names.slice(0, mostFiles)) {
    const [old, now] = [await text(before, name), await text(after, name)];
    const hunks = old === undefined || now === undefined ? 'it is too long, or no text' : lineDiff(old, now);
    if (hunks !== undefined) patches.push(`--- a/${name}\n+++ b/${name}\n${hunks}\n`);
  }
  return { patch: patches.join(''), partial: names.length > mostFiles };
}

/** Where contents were kept, and a repository that knows the commits. */
function placesOf(found: FoundTask, root: string): { folder: string; cwd: string } {
  const kind = kindNamed(found.kind);
  const workspace = kind.workspace?.(found.task);
  const cwd = workspace !== undefined && isDirectory(workspace) ? workspace : root;
  return { folder: path.join(kind.trail(found, root), trailFolder), cwd };
}

/** Agents can write where the record lies: a name of theirs must be no option and no other revision. */
async function blob(cwd: string, head: string, name: string): Promise<string | undefined> {
  if (head === '') return '';
  if (!isCommit(head)) return undefined;
  const { code, stdout } = await tryGit(cwd, ['cat-file', 'blob', `${head}:${name}`]);
  return code === 0 ? stdout : '';
}

async function committed(cwd: string, before: string, after: string): Promise<string[]> {
  if (!isCommit(before) || !isCommit(after)) return [];
  const { code, stdout } = await tryGit(cwd, ['diff', '--name-only', '--no-renames', '-z', before, after]);
  return code === 0 ? stdout.split('\0').filter((name) => name !== '') : [];
}

function isCommit(head: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(head);
}
