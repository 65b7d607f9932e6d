import fs from 'node:fs';
import { around } from './fault.ts';
import { createFile, linkFile, readBytes, removeQuietly } from './files.ts';
import { codeOf } from './io-error.ts';

/** As long as this a lock counts, whoever has it: the tools that use such locks agree on it. */
const staleMs = 30_000;

export type PidLock =
  | {
      held: true;
      /** Somebody who may still be at it has lost the lock to us because it was too old. */
      overtook?: { pid: number | undefined };
      release(): void;
    }
  | { held: false; pid: number | undefined };

/** Locks that this process has: one with our pid that is not among them is of a dead process that had it before. */
const ours = new Set<string>();

/**
 * A lock that other tools use: a file made by whoever has it, with a pid inside. It goes stale and outlives its
 * process, so it is a courtesy and not what keeps docket's own data right. Tries once: waiting is up to the caller.
 */
export function tryPidLock(file: string, now = Date.now()): PidLock {
  let overtook: { pid: number | undefined } | undefined;
  for (let tries = 0; tries < 3; tries += 1) {
    if (createFile(file, `${process.pid}`)) return taken(file, overtook);
    const found = lookAt(file);
    if (!found) continue;
    const dead = found.pid !== undefined && !isAlive(file, found.pid);
    const stale = Math.abs(now - found.since) > staleMs;
    if (!dead && !stale) return { held: false, pid: found.pid };
    if (!dead) overtook = { pid: found.pid };
    // It is in nobody's way that counts, and yet it cannot be moved: then we go on without it.
    if (!bury(file, found.ino))
      return { held: true, ...(overtook && { overtook }), release: () => undefined };
  }
  return { held: false, pid: undefined };
}

function taken(file: string, overtook: { pid: number | undefined } | undefined): PidLock {
  const ino = fs.statSync(file, { throwIfNoEntry: false })?.ino;
  ours.add(file);
  const release = (): void => {
    ours.delete(file);
    // After a long sleep it may be somebody else's.
    if (lookAt(file)?.ino === ino) removeQuietly(file);
  };
  return { held: true, ...(overtook && { overtook }), release };
}

function lookAt(file: string): { pid: number | undefined; since: number; ino: number } | undefined {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  let text = '';
  try {
    text = stat.isFile() && stat.size < 100 ? (readBytes(file)?.toString('utf8').trim() ?? '') : '';
  } catch {
    // What cannot be read says nothing about who made it.
  }
  return { pid: /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined, since: stat.mtimeMs, ino: stat.ino };
}

function isAlive(file: string, pid: number): boolean {
  return pid === process.pid ? ours.has(file) : isRunning(pid);
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Moved aside before it is removed: had somebody made a new one meanwhile, that one is put back. */
export function bury(file: string, ino: number): boolean {
  const aside = `${file}.${process.pid}.gone`;
  try {
    around('rename', aside, () => fs.renameSync(file, aside));
    if (fs.lstatSync(aside).ino !== ino) linkFile(aside, file);
    fs.rmSync(aside, { force: true, recursive: true });
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}
