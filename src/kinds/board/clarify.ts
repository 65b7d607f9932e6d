import { randomUUID } from 'node:crypto';
import { clarifyNotice, mention } from '../../render/board/notice.ts';
import type { State } from '../../store/store.ts';
import { isObject } from '../../task/json.ts';
import { noticeLocaleOf, only, type Asked, type Done } from './act.ts';
import { withBoard, type Desk } from './desk.ts';
import { knownRoles } from './dispatch.ts';
import type { Intent } from './format/intent.ts';
import { wholeSeconds } from './format/task.ts';
import { refused } from './refusals.ts';

type Clarify = Extract<Intent, { intent: 'clarify' }>;

/** The value in the board's store. */
export const cooldownName = 'cooldowns';
const usualSeconds = 300;
/** A board that no chat serves has one group, without a name. */
const noGroup = 'local';
const mostEntries = 1000;

interface Entry {
  ts: number;
  at: string;
  taskId: string;
  by: string;
  key?: string;
}

/** A question to a role: not too many to the same one, nor to the group. The cooldown starts when somebody gets it. */
export async function clarified(desk: Desk, intent: Clarify, asked: Asked): Promise<Done> {
  const { taskId, role, question } = intent;
  const { agents, channel } = desk.protocol;
  const roles = agents.length > 0 ? agents : knownRoles;
  if (!roles.includes(role))
    return refused('unsupported_role', intent, undefined, `${role} (${roles.join(', ')})`);
  const group = asked.group ?? channel.groupId ?? noGroup;
  const key = asked.key ?? randomUUID();
  const isHeard = (await asked.isHeard?.()) ?? true;
  const wait = await withBoard(desk, (store) =>
    store.exclusive([], (_ledger, _commit, now, state) =>
      recorded(state, {
        group,
        role,
        entry: {
          ts: Math.floor(Date.parse(now) / 1000),
          at: wholeSeconds(now),
          taskId,
          by: asked.actor,
          key,
        },
        seconds: asked.force ? 0 : (asked.cooldownSec ?? usualSeconds),
        isHeard,
      }),
    ),
  );
  if (wait > 0) return only({ kind: 'throttled', taskId, role, retryAfterSec: wait });
  const mentionOf = asked.mentionOf ?? mention;
  const text = clarifyNotice(intent, noticeLocaleOf(asked), mentionOf(role));
  return {
    outcome: { kind: 'clarified', taskId, role, question },
    events: [],
    notices: [{ key, seq: 0, taskId, text }],
  };
}

interface Question {
  group: string;
  role: string;
  entry: Entry;
  seconds: number;
  isHeard: boolean;
}

/** Seconds to wait; 0: it may be sent, and that is written down if somebody gets it. The same request may be sent again. */
function recorded(state: State, { group, role, entry, seconds, isHeard }: Question): number {
  const before = state.get(cooldownName);
  const entries = isObject(before['entries']) ? before['entries'] : {};
  const names = [`${group}:${role}`, `${group}:*`];
  const last = names.flatMap((name) => {
    const found = Object.hasOwn(entries, name) ? entries[name] : undefined;
    return isObject(found) && typeof found['ts'] === 'number' ? [{ ts: found['ts'], key: found['key'] }] : [];
  });
  if (last.some(({ key }) => key === entry.key)) return 0;
  // Asked in the future: the clock was wrong then, or is now.
  const counted = last.filter(({ ts }) => ts - entry.ts <= seconds);
  const left = Math.max(0, ...counted.map(({ ts }) => Math.min(seconds, ts + seconds - entry.ts)));
  if (left > 0 || !isHeard) return left;
  const kept = Object.entries(entries).filter(([name]) => !names.includes(name));
  const all = [...kept.slice(-mostEntries), ...names.map((name) => [name, entry] as const)];
  state.set(cooldownName, { ...before, entries: Object.fromEntries(all) });
  return 0;
}
