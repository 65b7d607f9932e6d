import type { OpenIds } from '../../channel/feishu/openids.ts';
import { shortKey } from '../../channel/spool.ts';

/** Names that stand for more than a person: whoever acts under one of them may do more, or is taken for a bot. */
const roles = [
  'orchestrator',
  'coder',
  'debugger',
  'invest-analyst',
  'broadcaster',
  'docket',
  'file',
  'unknown',
];
const namePattern = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u;
const madeUp = 'user-';

/**
 * Under which name somebody acts on the board: their role by the map, else their id. What they are called counts for
 * nothing, and an id that reads as a role's name is replaced: it may be a nickname that somebody chose.
 */
export function actorOf(openId: string, known: OpenIds, agents: readonly string[] = []): string {
  const role = known.roleOf(openId);
  if (role !== undefined) return role;
  const taken = [...roles, ...known.byRole.keys(), ...agents].map(plain);
  const isFree = namePattern.test(openId) && !openId.startsWith(madeUp) && !taken.includes(plain(openId));
  return isFree ? openId : `${madeUp}${shortKey(openId).slice(0, 16)}`;
}

function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
