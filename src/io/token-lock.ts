import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createFile, readBytes, removeQuietly } from './files.ts';
import { liveness, ownIdentity } from './identity.ts';
import { bury, isRunning } from './pid-lock.ts';

/** What such a lock says about who has it. Others wrote it: any of it may be missing. */
export interface TokenOwner {
  owner?: string;
  pid?: number;
  host?: string;
  createdAt?: string;
  /** In seconds. Absent or 0: it has no end. */
  expiresAtTs?: number;
  /** Nobody has it any more, and why. */
  stale?: 'expired' | 'dead' | 'unreadable';
  ownerDead: boolean;
}

export type TokenLock = { held: true; release(): void } | { held: false; by: TokenOwner };

const termMs = 45_000;
/** The other tools make the file first and fill it then: a moment long an empty one is somebody's. */
const fillingMs = 2000;
const longestText = 64 * 1024;

/**
 * A lock that other tools use: a file made by whoever has it, with a token and an end inside. It is a courtesy between
 * tools, beside the kernel's lock that docket's own processes have. Tries once: waiting is up to the caller.
 */
export function tryTokenLock(file: string, owner: string, now = Date.now()): TokenLock {
  for (let tries = 0; tries < 3; tries += 1) {
    const token = randomUUID();
    if (createFile(file, textOf(token, owner, now)))
      return { held: true, release: () => removeOwn(file, token) };
    const found = lookAt(file, now);
    if (!found) continue;
    if (found.owner.stale === undefined) return { held: false, by: found.owner };
    if (!bury(file, found.ino)) break;
  }
  return { held: false, by: readTokenLock(file, now) ?? { ownerDead: false } };
}

/** Undefined: there is none. */
export function readTokenLock(file: string, now = Date.now()): TokenOwner | undefined {
  return lookAt(file, now)?.owner;
}

/** Removes it if nobody has it any more; false: somebody has, or there is none. */
export function removeStaleTokenLock(file: string, now = Date.now()): boolean {
  const found = lookAt(file, now);
  return found?.owner.stale !== undefined && bury(file, found.ino);
}

function textOf(token: string, owner: string, now: number): string {
  const createdAt = `${new Date(now).toISOString().slice(0, 19)}Z`;
  const seconds = { createdAtTs: now / 1000, expiresAtTs: (now + termMs) / 1000 };
  return `${JSON.stringify({ token, owner, createdAt, ...seconds, sessionId: '', ...ownIdentity() })}\n`;
}

/** After a long sleep it may be somebody else's. */
function removeOwn(file: string, token: string): void {
  if (fieldsOf(file)?.['token'] === token) removeQuietly(file);
}

function lookAt(file: string, now: number): { owner: TokenOwner; ino: number } | undefined {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const fields = stat.isFile() && stat.size < longestText ? fieldsOf(file) : undefined;
  if (!fields) {
    const filling = Math.abs(now - stat.mtimeMs) < fillingMs;
    return { owner: { ownerDead: false, ...(!filling && { stale: 'unreadable' }) }, ino: stat.ino };
  }
  return { owner: ownerOf(fields, now), ino: stat.ino };
}

function ownerOf(fields: Record<string, unknown>, now: number): TokenOwner {
  const { owner, pid, host, createdAt, expiresAtTs } = fields;
  const hasPid = typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0;
  const ends = typeof expiresAtTs === 'number' && expiresAtTs > 0;
  const ownerDead = hasPid && isDead(pid, fields);
  const stale = ends && expiresAtTs * 1000 <= now ? 'expired' : ownerDead ? 'dead' : undefined;
  return {
    ...(typeof owner === 'string' && { owner }),
    ...(hasPid && { pid }),
    ...(typeof host === 'string' && { host }),
    ...(typeof createdAt === 'string' && { createdAt }),
    ...(ends && { expiresAtTs }),
    ...(stale && { stale }),
    ownerDead,
  };
}

/** Of another machine's processes nothing is known. The other tools write the machine's name and a pid alone. */
function isDead(pid: number, { host, startTime, bootId }: Record<string, unknown>): boolean {
  if (typeof host !== 'string') return false;
  if (typeof startTime === 'string' && typeof bootId === 'string')
    return liveness({ host, pid, startTime, bootId }) === 'dead';
  const isHere = ownIdentity().host.split(' ', 1)[0] === host;
  return isHere && (pid === process.pid || !isRunning(pid));
}

function fieldsOf(file: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readBytes(file)?.toString('utf8') ?? '');
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Not filled yet, or not what it should be: it says nothing.
  }
  return undefined;
}
