import path from 'node:path';
import { listDir } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { locksFolder } from '../../kinds/board/format/places.ts';
import { unlockBoard, type FoundLock } from '../../kinds/board/locks.ts';
import { initBoard } from '../../kinds/board/tools.ts';
import { answered, given, has, whereOf, wholeOf, type Call, type Printed } from './call.ts';

/** `init-task-board` and `task_board init`. Paths are told as the root was given. */
export async function init(call: Call): Promise<Printed> {
  const root = given(call, 'root');
  if (has(call, 'dry-run')) return { text: `[dry-run] task_board init --root ${root}`, code: 0 };
  await initBoard(whereOf(call), { settings: false, dryRun: false });
  const at = (name: string) => path.join(root, 'state', name);
  return answered({ ok: true, jsonl: at('tasks.jsonl'), snapshot: at('tasks.snapshot.json') });
}

/** What the format's table allows; a task's own status is not looked at. */
const transitions: Readonly<Record<string, readonly string[]>> = {
  pending: ['claimed', 'blocked'],
  claimed: ['in_progress', 'done', 'blocked'],
  in_progress: ['review', 'done', 'blocked', 'failed'],
  review: ['done', 'in_progress', 'blocked'],
  blocked: ['in_progress', 'claimed'],
  failed: ['in_progress'],
  done: [],
};

/** `task_board transition`: words, no JSON. */
export function transition(call: Pick<Call, 'values'>): Printed {
  const [from, to] = [given(call, 'from'), given(call, 'to')];
  const allowed = Object.hasOwn(transitions, from) && transitions[from]?.includes(to);
  if (allowed) return { text: `valid transition: ${from} -> ${to}`, code: 0 };
  return { text: '', stderr: `invalid transition: ${from} -> ${to}`, code: 1 };
}

/** `recover-stale-locks`. docket knows whether the holder lives; the times are taken and told. */
export async function recoverLocks(call: Call): Promise<Printed> {
  const root = given(call, 'root');
  const lockDir = path.join(root, locksFolder);
  const mode = given(call, 'run') === 'apply' ? 'apply' : 'dry-run';
  const where = whereOf(call);
  const folder = path.join(where.root, locksFolder);
  if (!isDirectory(folder))
    return { json: { ok: true, mode, message: 'no lock directory', lockDir }, code: 0 };
  const scanned = listDir(folder).filter((name) => name.endsWith('.lock')).length;
  const candidates = (await unlockBoard(where, { dryRun: true })).map((lock) => told(lock, root));
  const removed = mode === 'apply' ? await unlockBoard(where, { dryRun: false }) : [];
  const reclaimed = removed.map((lock) => told(lock, root));
  const audit =
    reclaimed.length === 0
      ? {}
      : { path: path.join(lockDir, 'recovery.audit.jsonl'), entries: reclaimed.length };
  const times = { ttlSeconds: wholeOf(call, 'ttl-seconds'), graceSeconds: wholeOf(call, 'grace-seconds') };
  const json = { ok: true, mode, lockDir, ...times, scanned, candidates, reclaimed, errors: [], audit };
  return { json, code: 0 };
}

const reasons = { held: 'fresh', expired: 'expired', dead: 'owner-dead', unreadable: 'invalid-json' };

function told(
  { path: name, owner, pid, createdAt, expiresAtTs, stale, reason, ownerDead }: FoundLock,
  root: string,
) {
  return {
    path: path.join(root, name),
    owner: owner ?? null,
    pid: pid ?? null,
    createdAt: createdAt ?? null,
    expiresAtTs: expiresAtTs ?? 0,
    stale,
    reason: reasons[reason],
    ownerDead,
  };
}
