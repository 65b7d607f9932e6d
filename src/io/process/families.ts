import { supervisedFolder } from './command-line.ts';
import { membersOf } from './marked.ts';
import type { Row } from './table.ts';

/** All that runs of one attempt or command that some docket has started. Never empty. */
export interface RunningFamily {
  mark: string;
  /** Its supervisor, if that runs, and the folder that it was given. */
  supervisor?: Row;
  folder?: string;
  rows: Row[];
}

/** What some docket of this user has started and is still there. `nameless`: known by its limit only, and of no family. */
export function familiesIn(table: readonly Row[]): { families: RunningFamily[]; nameless: Row[] } {
  const mine = table.filter((row) => row.pid !== process.pid && row.isOurs());
  const leaders = new Map<string, { supervisor: Row; folder: string }>();
  const marks = new Set<string>();
  for (const row of mine) {
    for (const mark of row.marks()) marks.add(mark);
    const folder = row.pid === row.group ? supervisedFolder(row.pid) : undefined;
    const [mark] = row.marks();
    if (folder !== undefined && mark !== undefined) leaders.set(mark, { supervisor: row, folder });
  }
  const families = [...marks].map((mark): RunningFamily => {
    const leader = leaders.get(mark);
    const { began = 0, pid } = leader?.supervisor ?? {};
    const family = { mark, watched: false, since: began, ...(pid !== undefined && { group: pid }) };
    return { mark, ...leader, rows: membersOf(family, mine) };
  });
  const named = new Set(families.flatMap(({ rows }) => rows.map(({ pid }) => pid)));
  return {
    families: families.filter(({ rows }) => rows.length > 0),
    nameless: mine.filter((row) => !named.has(row.pid) && row.hasLimit()),
  };
}
