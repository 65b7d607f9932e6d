import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { codeOf, ioError } from '../io-error.ts';
import { limitFor, limitIn, markVariable } from './mark.ts';

/** One living process, as far as its family matters. Zombies are not in the table: nothing of them runs. */
export interface Row {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks since the boot; 0 where nobody says. With the pid it tells a process from a later one. */
  began: number;
  /** Time of the processor that it has used, and those of its children that it has seen end. */
  cpuMs: number;
  /** It runs, or waits for a processor or a disk: not for an event. */
  isBusy: boolean;
  /** Somebody may sit in front of it. */
  hasTerminal: boolean;
  /** Whether it was started with exactly this mark in its environment, or has the limit that goes with it. */
  hasMark(mark: string): boolean;
  /** What a variable was in its environment when it was started: a word without blanks. */
  values(variable: string): readonly string[];
  /** The marks in its environment. */
  marks(): readonly string[];
  /** Whether it has a mark's limit: some docket has started it, whatever has become of its environment. */
  hasLimit(): boolean;
  /** Bytes that it, and its ended children, have read and written; 0 where nobody says. */
  ioBytes(): number;
  rssBytes(): number;
  /** Whether it belongs to the user that we are. */
  isOurs(): boolean;
}

/** All processes now. */
export function processTable(): Row[] {
  return process.platform === 'linux' ? procTable() : psTable();
}

let next: Promise<Row[]> | undefined;

/** A table that was taken after this call. All who ask in the same turn of the event loop share one. */
export function freshTable(): Promise<Row[]> {
  next ??= new Promise((resolve, reject) => {
    setImmediate(() => {
      next = undefined;
      try {
        resolve(processTable());
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
  return next;
}

/** Undefined: it has ended. */
export function processRow(pid: number): Row | undefined {
  return process.platform === 'linux' ? procRow(String(pid)) : psTable().find((row) => row.pid === pid);
}

function procTable(): Row[] {
  const rows: Row[] = [];
  for (const name of fs.readdirSync('/proc')) {
    const row = isNumber(name) ? procRow(name) : undefined;
    if (row) rows.push(row);
  }
  return rows;
}

function isNumber(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57;
}

const room = Buffer.allocUnsafe(4096);

function procRow(name: string): Row | undefined {
  const length = readProc(`/proc/${name}/stat`, room);
  if (length === 0) return undefined;
  const stat = room.toString('latin1', 0, length);
  // The name in parentheses may hold anything, so count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20);
  if (fields.length < 20 || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const number = (at: number): number => Number(fields[at]);
  const pid = Number(name);
  let environ: Buffer | undefined;
  let marks: string[] | undefined;
  let limit: string | undefined;
  const values = (variable: string) => valuesIn((environ ??= environOf(pid)), variable);
  const marksNow = () => (marks ??= values(markVariable));
  const limitNow = () => (limit ??= limitIn(textOf(pid, 'limits')) ?? '');
  return {
    pid,
    parent: number(1),
    group: number(2),
    session: number(3),
    isBusy: fields[0] === 'R' || fields[0] === 'D',
    hasTerminal: number(4) !== 0,
    cpuMs: (number(11) + number(12) + number(13) + number(14)) * msPerTick,
    began: number(19),
    values,
    marks: marksNow,
    hasMark: (mark) => marksNow().includes(mark) || limitNow() === limitFor(mark),
    hasLimit: () => limitNow() !== '',
    // Not by the owner of the folder in /proc: that is root for a process which forbids to be looked at.
    isOurs: () => Number(/^Uid:\t(\d+)/m.exec(textOf(pid, 'status'))?.[1]) === process.getuid?.(),
    rssBytes: () => 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(textOf(pid, 'status'))?.[1] ?? 0),
    ioBytes: () => ioIn(textOf(pid, 'io')),
  };
}

/** Of the clock that the kernel counts with for us. */
const msPerTick = 10;

/** What its reads and writes were, whether they went to a disk, a pipe or a terminal. */
function ioIn(text: string): number {
  return Number(/^rchar: (\d+)/m.exec(text)?.[1] ?? 0) + Number(/^wchar: (\d+)/m.exec(text)?.[1] ?? 0);
}

function textOf(pid: number, name: 'limits' | 'status' | 'io'): string {
  const file = `/proc/${pid}/${name}`;
  return unlessGone(file, () => fs.readFileSync(file, 'latin1')) ?? '';
}

/** 0: it has ended meanwhile, or is none of our business. */
function readProc(file: string, into: Buffer): number {
  return (
    unlessGone(file, () => {
      const fd = fs.openSync(file, 'r');
      try {
        return fs.readSync(fd, into, 0, into.length, 0);
      } finally {
        fs.closeSync(fd);
      }
    }) ?? 0
  );
}

const gone = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

/** Any other error must not look like a process that has ended: one without file descriptors would leave all running. */
function unlessGone<T>(file: string, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (gone.has(codeOf(error) ?? '')) return undefined;
    throw ioError(error, 'read', file);
  }
}

function environOf(pid: number): Buffer {
  const file = `/proc/${pid}/environ`;
  return unlessGone(file, () => fs.readFileSync(file)) ?? Buffer.alloc(0);
}

/** The values of every variable of exactly that name in a block of NUL-ended strings. */
export function valuesIn(environ: Buffer, variable: string): string[] {
  const name = `${variable}=`;
  const values: string[] = [];
  for (let at = environ.indexOf(name); at >= 0; at = environ.indexOf(name, at + 1)) {
    if (at > 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    values.push(environ.toString('latin1', at + name.length, end < 0 ? environ.length : end));
  }
  return values;
}

/** Where there is no /proc: `ps` shows the environment of our own processes behind the command. */
export function psTable(): Row[] {
  const text = execFileSync('ps', ['axeww', '-o', 'pid=,ppid=,pgid=,stat=,uid=,rss=,time=,tty=,command='], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return parsePs(text, process.getuid?.() ?? -1);
}

export function parsePs(text: string, ownUid: number): Row[] {
  const rows: Row[] = [];
  for (const line of text.split('\n')) {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(-?\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s(.*)$/.exec(line);
    if (!found || found[4]?.startsWith('Z')) continue;
    const [, pid, parent, group, stat = '', uid, rss, time = '', tty = '', command = ''] = found;
    const values = (variable: string) =>
      [...` ${command} `.matchAll(new RegExp(`(?<= )${variable}=(\\S+)(?= )`, 'g'))].map(
        ([, value = '']) => value,
      );
    const marks = values(markVariable);
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      began: 0,
      cpuMs: cpuIn(time),
      isBusy: /^[RDU]/.test(stat),
      hasTerminal: /[a-z0-9]/i.test(tty),
      values,
      marks: () => marks,
      hasMark: (mark) => marks.includes(mark),
      hasLimit: () => false,
      isOurs: () => Number(uid) === ownUid,
      rssBytes: () => Number(rss) * 1024,
      ioBytes: () => 0,
    });
  }
  return rows;
}

/** `1-02:03:04`, `02:03`, or with hundredths `2:03.45`. */
function cpuIn(time: string): number {
  const [clock = '', days] = time.split('-').toReversed();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days ?? 0) * 86_400 + seconds) * 1000) || 0;
}

/** What processes have used by now, all together. */
export interface TreeUse {
  processes: number;
  /** So many of them ran at that moment, or would have, had there been a processor or a disk for them. */
  busy: number;
  cpuMs: number;
  /** Read and written. */
  ioBytes: number;
}

export function useOf(rows: readonly Row[]): TreeUse {
  return {
    processes: rows.length,
    busy: rows.filter((row) => row.isBusy).length,
    cpuMs: rows.reduce((sum, row) => sum + row.cpuMs, 0),
    ioBytes: rows.reduce((sum, row) => sum + row.ioBytes(), 0),
  };
}

/** What was used between two looks. What the ended ones had used can be gone with them: that is nothing used, not less. */
export function usedBetween(before: TreeUse, after: TreeUse): TreeUse {
  return {
    processes: after.processes,
    busy: after.busy,
    cpuMs: Math.max(0, after.cpuMs - before.cpuMs),
    ioBytes: Math.max(0, after.ioBytes - before.ioBytes),
  };
}
