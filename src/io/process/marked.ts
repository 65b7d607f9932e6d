import { processTable, type Row } from './table.ts';

/** Which processes an attempt is answerable for. */
export interface Family {
  mark: string;
  /** Pid of the supervisor: its group's and its session's number too. Unknown: the mark alone tells. */
  group?: number;
  /** The group's number cannot be somebody else's by now: we started it, and have watched it ever since. */
  watched: boolean;
  /** When the supervisor began: nothing older is of this family, so most processes need no closer look. */
  since: number;
}

/**
 * All that runs of a family: by the mark, by the group and session (a program may overwrite its environment, but not
 * these), and whatever those have started. Only what is our own user's, and never ourselves. `known` are members of
 * earlier looks: one whose parent has ended since would otherwise be nobody's.
 */
export function membersOf(
  family: Family,
  table: readonly Row[],
  known: ReadonlySet<string> = new Set(),
): Row[] {
  const young = table.filter((row) => row.began >= family.since && row.pid !== process.pid);
  const members = new Map<number, Row>();
  for (const row of young) if (known.has(keyOf(row)) || row.hasMark(family.mark)) members.set(row.pid, row);
  const { group } = family;
  if (group !== undefined && (family.watched || [...members.values()].some((row) => isIn(row, group))))
    for (const row of young) if (isIn(row, group)) members.set(row.pid, row);
  for (let size = 0; size !== members.size && members.size > 0;) {
    size = members.size;
    for (const row of young) if (members.has(row.parent)) members.set(row.pid, row);
  }
  return [...members.values()].filter((row) => row.isOurs());
}

/** Tells a process from a later one with the same number. */
export function keyOf(row: Row): string {
  return `${row.pid}.${row.began}`;
}

export function isIn(row: Row, group: number): boolean {
  return row.group === group || row.session === group;
}

/** The pids of all processes with this mark. */
export function findMarked(mark: string): number[] {
  return membersOf({ mark, watched: false, since: 0 }, processTable()).map((row) => row.pid);
}
