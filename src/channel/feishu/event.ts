import { isObject } from '../../task/json.ts';
import type { Action, Inbound, Mention, Message, Note } from '../channel.ts';
import { asPress } from '../check.ts';
import { objectIn, textIn } from '../fields.ts';
import type { OpenIds } from './openids.ts';
import { withNames, wordsOf } from './text.ts';

export const messageEvent = 'im.message.receive_v1';
export const actionEvent = 'card.action.trigger';

/** Who we are, and whom we listen to. */
export interface Company {
  /** Our own bot. */
  openId: string;
  /** The name that the board's commands know it by. */
  role: string;
  roles: OpenIds;
  groups: ReadonlySet<string>;
}

export type Decoded = { inbound: Inbound } | { ignored: Extract<Note, { kind: 'ignored' }> };

/** An event with its header's fields beside it, as the SDK hands it out. */
export function decodeEvent(type: string, event: unknown, company: Company): Decoded {
  const inbound = type === actionEvent ? decodeAction(event, company) : decodeMessage(event, company);
  const group =
    textIn(objectIn(event, 'message'), 'chat_id') || textIn(objectIn(event, 'context'), 'open_chat_id');
  if (!company.groups.has(group)) return ignored('group', group);
  if (!inbound) return ignored('unreadable', group);
  if (inbound.sender.openId === company.openId) return ignored('own', group);
  return { inbound };
}

function ignored(why: 'group' | 'own' | 'unreadable', group: string): Decoded {
  return { ignored: { kind: 'ignored', why, group } };
}

function decodeMessage(event: unknown, company: Company): Message | undefined {
  const message = objectIn(event, 'message');
  const sender = objectIn(event, 'sender');
  const openId = textIn(objectIn(sender, 'sender_id'), 'open_id');
  const id = textIn(message, 'message_id');
  const words = wordsOf(textIn(message, 'message_type'), textIn(message, 'content'));
  if (id === '' || openId === '' || words === undefined) return undefined;
  const marks = marksOf(message['mentions']);
  return {
    kind: 'message',
    id,
    group: textIn(message, 'chat_id'),
    sender: {
      openId,
      name: company.roles.roleOf(openId) ?? openId,
      isBot: textIn(sender, 'sender_type') !== 'user',
    },
    at: timeOf(textIn(message, 'create_time')),
    text: withNames(words, (mark) => {
      const mention = marks.get(mark);
      return mention && calledAs(mention, company);
    }),
    mentions: [...marks.values()],
  };
}

/** By role where there is one, so that commands read the same whatever the bots are called. */
function calledAs({ openId, name }: Mention, { openId: own, role, roles }: Company): string {
  if (openId === own) return `@${role}`;
  const known = roles.roleOf(openId);
  return known === undefined ? `<at user_id="${plain(openId)}">${plain(name)}</at>` : `@${known}`;
}

function plain(text: string): string {
  return text.replaceAll(/[<>"\p{Cc}]/gu, '');
}

function marksOf(value: unknown): Map<string, Mention> {
  const marks = new Map<string, Mention>();
  for (const mention of Array.isArray(value) ? value : [])
    marks.set(textIn(mention, 'key'), {
      openId: textIn(objectIn(mention, 'id'), 'open_id'),
      name: textIn(mention, 'name'),
    });
  return marks;
}

function decodeAction(event: unknown, company: Company): Action | undefined {
  const openId = textIn(objectIn(event, 'operator'), 'open_id');
  const id = textIn(event, 'event_id');
  const { value } = objectIn(event, 'action');
  const press = asPress(isObject(value) ? { ...value, times: Number(value['times']) } : undefined);
  if (id === '' || openId === '' || !press) return undefined;
  return {
    kind: 'action',
    id,
    group: textIn(objectIn(event, 'context'), 'open_chat_id'),
    sender: { openId, name: company.roles.roleOf(openId) ?? openId, isBot: false },
    at: timeOf(textIn(event, 'create_time')),
    press,
  };
}

/** Milliseconds in messages, microseconds in the headers of some events. */
function timeOf(text: string): number {
  const time = Number(text) || 0;
  return time > 1e14 ? Math.floor(time / 1000) : time;
}
