import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { AppendFile } from '../../io/append-file.ts';
import { iso, type Clock } from '../../io/clock.ts';
import { createFile, readBytes, removeFile } from '../../io/files.ts';
import { openMutex, type LockKind } from '../../io/lock.ts';
import { readTokenLock, removeStaleTokenLock } from '../../io/token-lock.ts';
import type { FilePlace } from '../../store/store.ts';
import { factsOf, lockStore, workerLocks } from '../../store/upkeep/store-files.ts';
import { boardLayout } from './format/layout.ts';
import { boardLock, locksFolder, ownFolder } from './format/places.ts';

interface Where {
  root: string;
  clock: Clock;
}

/** A lock among those of a board: the one of all tools, or that of one task's worker. */
export interface FoundLock {
  path: string;
  kind: 'board' | 'run';
  owner?: string;
  pid?: number;
  createdAt?: string;
  expiresAtTs?: number;
  /** Nobody has it any more. */
  stale: boolean;
  reason: 'held' | 'expired' | 'dead' | 'unreadable';
  ownerDead: boolean;
}

const waitMs = 10_000;
const auditFile = `${locksFolder}/recovery.audit.jsonl`;

/** All locks of a board. Whether a worker lives is known only to who asks for its lock, so docket's own is held meanwhile. */
export function boardLocks(where: Where): Promise<FoundLock[]> {
  return withLock(where, (kind) => found(where, kind));
}

/** Removes locks that nobody has any more, and writes down which. A dry run only tells. */
export function unlockBoard(where: Where, { dryRun }: { dryRun: boolean }): Promise<FoundLock[]> {
  return withLock(where, (kind) => {
    const stale = found(where, kind).filter((lock) => lock.stale);
    if (dryRun) return stale;
    return stale.filter((lock) => {
      const file = path.join(where.root, lock.path);
      if (lock.kind === 'board' && !removeStaleTokenLock(file)) return false; // somebody has it again
      if (lock.kind === 'run') removeFile(file);
      audit(where, lock);
      return true;
    });
  });
}

function storeOf({ root }: Where): FilePlace {
  return { root, dir: path.join(root, ownFolder), layout: boardLayout };
}

async function withLock<T>(where: Where, use: (kind?: LockKind) => T): Promise<T> {
  const facts = factsOf(storeOf(where));
  return facts ? lockStore(storeOf(where), () => use(facts.lock), { waitMs }) : use();
}

function found(where: Where, kind: LockKind | undefined): FoundLock[] {
  const { root } = where;
  const owner = readTokenLock(path.join(root, boardLock));
  const locks: FoundLock[] = [];
  if (owner) {
    const { stale, ...about } = owner;
    locks.push({
      path: boardLock,
      kind: 'board',
      ...about,
      stale: stale !== undefined,
      reason: stale ?? 'held',
    });
  }
  if (kind) for (const file of workerLocks(storeOf(where))) locks.push(runLock(root, file, kind));
  return locks;
}

function runLock(root: string, file: string, kind: LockKind): FoundLock {
  const { owner, pid, since } = signatureIn(file);
  const mutex = openMutex(file, kind);
  try {
    const free = mutex.tryLock();
    return {
      path: path.relative(root, file),
      kind: 'run',
      ...(typeof owner === 'string' && { owner }),
      ...(typeof pid === 'number' && { pid }),
      ...(typeof since === 'string' && { createdAt: since }),
      stale: free,
      reason: free ? 'dead' : 'held',
      ownerDead: free,
    };
  } finally {
    mutex.close();
  }
}

/** Words for people: where they are missing or torn, less is told. */
function signatureIn(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readBytes(file)?.toString('utf8') ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function audit({ root, clock }: Where, lock: FoundLock): void {
  const { kind: _, ...about } = lock;
  const at = `${iso(clock).slice(0, 19)}Z`;
  const line = { at, action: 'reclaim_lock', ...about };
  const file = path.join(root, auditFile);
  createFile(file, '');
  const audits = AppendFile.open(file, 'write');
  if (!audits) throw new DocketError('IO', `${file} cannot be opened`, 'look at the folder', { path: file });
  try {
    const { error } = audits.append(Buffer.from(`${JSON.stringify(line)}\n`));
    if (error instanceof Error) throw error;
  } finally {
    audits.close();
  }
}
