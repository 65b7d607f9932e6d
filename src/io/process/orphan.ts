import fs from 'node:fs';
import os from 'node:os';
import type { Row } from './table.ts';

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
