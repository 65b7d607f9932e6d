import { asText, parts } from './bytes.ts';
import type { Head } from './repositories.ts';
import { lookAt, type Look, type Snapshot, type WorkTree } from './snapshot.ts';
import type { Area } from './tree-store.ts';

type ChangeKind = 'added' | 'modified' | 'deleted' | 'mode' | 'symlink' | 'submodule' | 'hook';

/** A rename is two of them: one file is gone, another is new. */
export interface Change {
  path: string;
  kind: ChangeKind;
}

export interface Version {
  mode: string;
  id: string;
}

/** One file that is another now. `name`: as bytes, from its area. */
export interface FileChange extends Change {
  name: string;
  before: Version;
  now: Version;
}

/** All that changed in one area, and the trees it changed between. */
export interface AreaChanges {
  area: Area;
  before: string;
  now: string;
  files: FileChange[];
}

/** What is another than it was: content, kind, the right to execute, presence; committed or not. */
export async function changesSince(tree: WorkTree, snapshot: Snapshot): Promise<Change[]> {
  const { changes } = await changedSince(tree, snapshot);
  return changes.map(({ path, kind }) => ({ path, kind }));
}

/** A change with the versions of its file, where it is one of a file. */
export type Changed = Change & Partial<Pick<FileChange, 'name' | 'before' | 'now'>>;

/** The same with the versions, and what is ignored now. */
export async function changedSince(
  tree: WorkTree,
  snapshot: Snapshot,
): Promise<{ changes: Changed[]; ignored: readonly string[] }> {
  const look = await lookAt(tree, snapshot);
  const moved = movedIn(snapshot, look.snapshot).map(({ path }): Changed => ({ path, kind: 'submodule' }));
  const files: Changed[] = (await areaChanges(look, snapshot)).flatMap((area) => area.files);
  const changes = [...moved, ...files].toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
  return { changes, ignored: look.ignored };
}

/** Repositories below the root that came, went, or stand elsewhere. */
export function movedIn(before: Snapshot, now: Snapshot): { path: string; was?: Head; is?: Head }[] {
  const was = new Map(before.repositories.map(({ path, head }) => [path, head]));
  const is = new Map(now.repositories.map(({ path, head }) => [path, head]));
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((at) => {
    const heads = { was: was.get(at), is: is.get(at) };
    if (JSON.stringify(heads.was) === JSON.stringify(heads.is)) return [];
    return {
      path: asText(at).slice(0, -1),
      ...(heads.was && { was: heads.was }),
      ...(heads.is && { is: heads.is }),
    };
  });
}

/** A repository's settings are compared where it is still, or again, the same one's place. */
export function changedAreas(
  { root, snapshot: now }: Look,
  before: Snapshot,
): (Omit<AreaChanges, 'files'> & { isGuard: boolean })[] {
  const settings = now.repositories.flatMap(({ path: at, guarded }) => {
    const was = before.repositories.find((state) => state.path === at);
    const area = { folder: guarded.folder, prefix: `${asText(at)}.git/` };
    return was ? [{ area, before: was.guarded.tree, now: guarded.tree, isGuard: true }] : [];
  });
  const files = { area: { folder: root, prefix: '' }, before: before.tree, now: now.tree, isGuard: false };
  return [files, ...settings].filter((area) => area.before !== area.now);
}

export function areaChanges(look: Look, snapshot: Snapshot): Promise<AreaChanges[]> {
  return Promise.all(
    changedAreas(look, snapshot).map(async ({ area, before, now, isGuard }) => {
      const raw = await look.store.run(area, ['diff-tree', '-r', '-z', '--raw', '--no-renames', before, now]);
      return { area, before, now, files: fileChanges(raw, area, isGuard) };
    }),
  );
}

export function fileChanges(raw: string, area: Area, isGuard: boolean): FileChange[] {
  const list = parts(raw);
  return list.flatMap((head, at) => {
    if (at % 2 === 1) return [];
    const [from = '', to = '', fromId = '', toId = ''] = head.slice(1).split(' ');
    const before = { mode: from, id: fromId };
    const now = { mode: to, id: toId };
    const name = list[at + 1] ?? '';
    const kind = isGuard ? 'hook' : kindOf(before, now);
    return { path: area.prefix + asText(name), kind, name, before, now };
  });
}

const absent = '000000';
const link = '120000';

function kindOf(before: Version, now: Version): ChangeKind {
  if (now.mode === absent) return 'deleted';
  if (now.mode === link || before.mode === link) return 'symlink';
  if (before.mode === absent) return 'added';
  return before.id === now.id ? 'mode' : 'modified';
}
