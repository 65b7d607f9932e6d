import path from 'node:path';
import type { Project } from '../../settings/project.ts';
import { rebuildWhole, type Rebuilt } from '../../store/upkeep/rebuild-whole.ts';
import { boardLayout, snapshot } from './format/layout.ts';
import { ownFolder } from './format/places.ts';

export interface BoardRebuilt extends Rebuilt {
  path: string;
  /** The snapshot says what the log says. */
  same: boolean;
}

/** Makes the snapshot anew from the log, and says how the old one differed. */
export async function rebuildBoard(where: Project, { dryRun }: { dryRun: boolean }): Promise<BoardRebuilt> {
  const { root, clock, warn } = where;
  const dir = path.join(root, ownFolder);
  const found = await rebuildWhole({ root, dir, layout: boardLayout, clock, warn }, { dryRun });
  const { missing, unknown, changed, broken } = found;
  const same = broken === undefined && missing.length + unknown.length + changed.length === 0;
  return { ...found, path: snapshot.path, same };
}
