import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { supervisorName } from './supervisor.ts';
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

/**
 * Whether a process is still a copy of the supervisor that has not become its program yet. Such a copy has the
 * supervisor's traps for a moment: it swallows a signal.
 */
export function isFork(pid: number, supervisor: number | undefined): boolean {
  const words = supervisor === undefined ? '' : commandLine(pid);
  return words !== '' && supervisor !== undefined && words === commandLine(supervisor);
}

/** Where nobody can say, it is taken for one: it leads the group of an attempt. */
export function isSupervisor(pid: number): boolean {
  return process.platform !== 'linux' || commandLine(pid).split('\0')[3] === supervisorName;
}

/** Whether it only stands around an agent (sandbox.ts). */
export function isSandbox(pid: number): boolean {
  return path.basename(commandLine(pid).split('\0')[0] ?? '') === 'bwrap';
}

/** The attempt's folder that a supervisor was given; undefined: it is none. */
function supervisedFolder(pid: number): string | undefined {
  const [, , , name, dir] = commandLine(pid).split('\0');
  return name === supervisorName && dir !== undefined
    ? Buffer.from(dir, 'latin1').toString('utf8')
    : undefined;
}

/** Empty where there is none, or no process. */
function commandLine(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

/** Of the clock that counts start times. */
const msPerTick = 10;

/** When it began, in milliseconds of the wall clock; undefined where nobody says. */
export function beganAt({ began }: Row, now: number): number | undefined {
  return began === 0 ? undefined : now - os.uptime() * 1000 + began * msPerTick;
}

/** Nobody who started it is left: it was given to the machine's first process, or to the user's. */
export function isOrphan({ parent }: Row): boolean {
  return parent <= 1 || programOf(parent) === 'systemd';
}

/** Its program's short name; empty: it has ended, or nobody says. */
export function programOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
