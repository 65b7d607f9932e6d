import { isObject } from '../../task/json.ts';
import {
  pressSchema,
  valueOf,
  type Action,
  type Inbound,
  type Mention,
  type Message,
  type Note,
} from '../channel.ts';
import { clip } from '../clip.ts';
import { objectIn, textIn, parseJson } from '../fields.ts';
import type { OpenIds } from './openids.ts';

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
  const press = isObject(value)
    ? valueOf(pressSchema, { ...value, times: Number(value['times']) })
    : undefined;
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

const mentionTag = /<at\s+user_id="([^"<>]*)"\s*>([^<]*)<\/at>/gi;
/** The vendor takes 150 KB, counted with the escapes of JSON. */
const maxLength = 30_000;

/**
 * A text as it may be sent: who is known can be mentioned, everybody else is only named, and nobody can call all of a
 * group by writing a tag into a title.
 */
export function outgoingText(text: string, isKnown: (openId: string) => boolean): string {
  const shown: string[] = [];
  let from = 0;
  for (const match of text.matchAll(mentionTag)) {
    const [tag, id = '', name = ''] = match;
    shown.push(withoutTags(text.slice(from, match.index)));
    shown.push(id !== 'all' && isKnown(id) ? `<at user_id="${id}">${name}</at>` : `@${name}`);
    from = match.index + tag.length;
  }
  shown.push(withoutTags(text.slice(from)));
  return clip(shown.join(''), maxLength, '\n…');
}

function withoutTags(text: string): string {
  return text.replaceAll(/<(?=\/?at\b)/gi, '＜');
}

/** The words of a text or a rich-text message; undefined for pictures, files and the like. */
export function wordsOf(type: string, content: string): string | undefined {
  const value = parseJson(content);
  if (type === 'text') return isObject(value) ? textIn(value, 'text') : undefined;
  if (type !== 'post' || !isObject(value)) return undefined;
  const lines = Array.isArray(value['content']) ? value['content'] : [];
  const title = textIn(value, 'title');
  return [...(title === '' ? [] : [title]), ...lines.map(lineOf)].join('\n');
}

function lineOf(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  return parts
    .map((part) => (textIn(part, 'tag') === 'at' ? textIn(part, 'user_id') : textIn(part, 'text')))
    .join('');
}

/** Puts names in the place of the vendor's marks (`@_user_1`). */
function withNames(text: string, nameOf: (mark: string) => string | undefined): string {
  return text.replaceAll(/@_(?:user_\d+|all)/g, (mark) => nameOf(mark) ?? mark);
}
