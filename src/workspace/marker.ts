import path from 'node:path';
import { kindOfName } from '../io/copies.ts';
import { replaceFile } from '../io/files.ts';
import { exists, realFolder } from '../io/links.ts';
import { readTextFile } from '../io/text-file.ts';

/** What a workspace is, decided once, before anything of it is made. */
export interface Plan {
  kind: 'clone' | 'worktree';
  path: string;
  branch: string;
  /** The branch that it was made from, where there was one. */
  base?: string;
  baseCommit: string;
}

interface Marker extends Omit<Plan, 'path'> {
  v: 1;
  task: string;
  /** From the workspace: both may be moved together, and a copy of both is not ours. */
  root: string;
  /** All that belongs into it is there. */
  ready: boolean;
}

const name = 'docket.json';
const longest = 64 * 1024;

/** Says in the workspace itself, where git does not look, whose it is. */
export function writeMarker(
  gitDir: string,
  { root, id }: { root: string; id: string },
  plan: Plan,
  ready: boolean,
): void {
  const { path: place, ...rest } = plan;
  const marker: Marker = {
    v: 1,
    task: id,
    root: path.relative(place, realFolder(root)),
    ...rest,
    ready,
  };
  replaceFile(path.join(gitDir, name), `${JSON.stringify(marker, null, 2)}\n`, { sync: ready });
}

/** Whose workspace a folder says it is. Nobody has checked that: whoever works there can write it. */
export function markedPlace(place: string): { root: string; task: string } | undefined {
  const marker = markerIn(gitDirIn(place));
  return marker && { root: path.resolve(realFolder(place), marker.root), task: marker.task };
}

/** The plan of the workspace that is there; undefined: none of this task. */
export function readMarker(
  place: string,
  { root, id }: { root: string; id: string },
): { plan: Plan; gitDir: string; ready: boolean } | undefined {
  const gitDir = gitDirIn(place);
  const marker = markerIn(gitDir);
  if (gitDir === undefined || marker?.task !== id) return undefined;
  if (path.resolve(realFolder(place), marker.root) !== realFolder(root)) return undefined;
  const { kind, branch, base, baseCommit, ready } = marker;
  return {
    plan: { kind, path: place, branch, baseCommit, ...(base !== undefined && { base }) },
    gitDir,
    ready,
  };
}

function markerIn(gitDir: string | undefined): Marker | undefined {
  const text = gitDir === undefined ? undefined : readTextFile(path.join(gitDir, name), longest);
  return text === undefined ? undefined : parsed(text);
}

function gitDirIn(place: string): string | undefined {
  if (kindOfName(place)?.kind !== 'folder') return undefined;
  const own = path.join(place, '.git');
  const found = kindOfName(own)?.kind;
  if (found === 'folder') return own;
  const pointer = found === 'file' ? readTextFile(own, longest) : undefined;
  const to = /^gitdir: (.+)$/m.exec(pointer ?? '')?.[1];
  const dir = to === undefined ? undefined : path.resolve(place, to);
  return dir !== undefined && exists(dir) ? dir : undefined;
}

/** Whoever works there can write it too: what is no marker is none. */
function parsed(text: string): Marker | undefined {
  try {
    const marker = JSON.parse(text) as Partial<Record<keyof Marker, unknown>> | null;
    const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
    const { kind, task, root, branch, base, baseCommit, ready } = marker ?? {};
    if ((kind !== 'clone' && kind !== 'worktree') || ![task, root, branch, baseCommit].every(isText))
      return undefined;
    const plan = { v: 1, kind, task, root, branch, baseCommit, ready: ready === true };
    return { ...plan, ...(isText(base) && { base }) } as Marker;
  } catch {
    return undefined;
  }
}
