import path from 'node:path';
import { realFolder } from '../../io/links.ts';
import { familiesIn, type RunningFamily } from '../../io/process/family.ts';
import { startedBelow, type Started } from '../../io/process/leftovers.ts';
import type { Row } from '../../io/process/table.ts';
import { whoseFolder, type Whose } from './whose.ts';

/** A family of this workspace. */
export interface OwnFamily extends RunningFamily {
  folder: string;
  whose: Whose;
}

/** What of all that some docket has started belongs to this root. */
export function ownFamilies(root: string, table: readonly Row[]): OwnFamily[] {
  const { families, nameless } = familiesIn(table);
  const lost = families.filter(({ folder }) => folder === undefined);
  const own = families.flatMap((family) => ownFamily(root, family) ?? []);
  if (lost.length === 0 && nameless.length === 0) return own;
  // These do not say themselves where they belong: what was started here, and with which mark, is on disk.
  for (const { folder, mark } of startedHere(root)) {
    const rows = nameless.filter((row) => row.hasMark(mark));
    const known = own.find((family) => family.mark === mark);
    if (known) known.rows.push(...rows);
    const left = known ? [] : [...(lost.find((family) => family.mark === mark)?.rows ?? []), ...rows];
    const found = left.length > 0 ? ownFamily(root, { mark, folder, rows: left }) : undefined;
    if (found) own.push(found);
  }
  return own;
}

/** `.agentmesh/tasks/<task>/agents/<step>/runtime/attempt-<n>`; nothing of docket's own lies deeper. */
const levels = 6;

function* startedHere(root: string): Generator<Started> {
  for (const top of ['.docket', '.agentmesh']) yield* startedBelow(path.join(root, top), levels);
}

function ownFamily(root: string, family: RunningFamily): OwnFamily | undefined {
  const { folder } = family;
  const at = folder === undefined ? undefined : below(root, folder);
  const whose = at === undefined ? undefined : whoseFolder(at);
  return folder === undefined || !whose ? undefined : { ...family, folder, whose };
}

/** From the root, if it is there: by the name that docket was given, or by the real one. */
function below(root: string, folder: string): string | undefined {
  for (const base of [path.resolve(root), realFolder(root)])
    if (folder.startsWith(base + path.sep)) return folder.slice(base.length + 1).replaceAll(path.sep, '/');
  return undefined;
}
