import fs from 'node:fs';
import { codeOf, ioError } from '../io-error.ts';
import { markVariable } from './mark.ts';
import { psTable } from './ps-table.ts';

/** One living process, as far as its family matters. Zombies are not in the table: nothing of them runs. */
export interface Row {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks since the boot; 0 where nobody says. With the pid it tells a process from a later one. */
  began: number;
  /** Whether it was started with exactly this mark in its environment. */
  hasMark(mark: string): boolean;
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
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const [parent, group, session, began] = [fields[1], fields[2], fields[3], fields[19]].map(Number);
  if (parent === undefined || group === undefined || session === undefined || began === undefined)
    return undefined;
  const pid = Number(name);
  let marks: string[] | undefined;
  const hasMark = (mark: string) => (marks ??= marksOf(pid)).includes(mark);
  return { pid, parent, group, session, began, hasMark, isOurs: () => isOurs(pid) };
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

function marksOf(pid: number): string[] {
  const file = `/proc/${pid}/environ`;
  return marksIn(unlessGone(file, () => fs.readFileSync(file)) ?? Buffer.alloc(0));
}

/** The values of every variable of exactly that name in a block of NUL-ended strings. */
export function marksIn(environ: Buffer): string[] {
  const name = `${markVariable}=`;
  const marks: string[] = [];
  for (let at = environ.indexOf(name); at >= 0; at = environ.indexOf(name, at + 1)) {
    if (at > 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    marks.push(environ.toString('latin1', at + name.length, end < 0 ? environ.length : end));
  }
  return marks;
}

/** Not by the owner of the folder in /proc: that is root for a process which forbids to be looked at. */
function isOurs(pid: number): boolean {
  const file = `/proc/${pid}/status`;
  const status = unlessGone(file, () => fs.readFileSync(file, 'latin1')) ?? '';
  return Number(/^Uid:\t(\d+)/m.exec(status)?.[1]) === process.getuid?.();
}
