import { isObject } from '../task/json.ts';
import type { Button, Card, Content, Inbound, Mention, Press, Speaker } from './channel.ts';
import { textIn } from './fields.ts';

const maxId = 512;

/** Each says what a value is, or that it is something else: for files and requests that others can write. */
export function asContent(value: unknown): Content | undefined {
  if (!isObject(value)) return undefined;
  if (value['kind'] === 'text' && typeof value['text'] === 'string')
    return { kind: 'text', text: value['text'] };
  const card = value['kind'] === 'card' ? asCard(value['card']) : undefined;
  return card && { kind: 'card', card };
}

function asCard(value: unknown): Card | undefined {
  if (!isObject(value) || typeof value['title'] !== 'string') return undefined;
  const lines = listOf(value['lines'], (line) => (typeof line === 'string' ? line : undefined));
  const buttons = listOf(value['buttons'], asButton);
  return lines && buttons && { title: value['title'], lines, buttons };
}

function asButton(value: unknown): Button | undefined {
  if (!isObject(value) || typeof value['label'] !== 'string') return undefined;
  const press = asPress(value['press']);
  const look = (['plain', 'good', 'bad'] as const).find((known) => known === value['look']);
  return press && look && { label: value['label'], look, press };
}

export function asPress(value: unknown): Press | undefined {
  if (!isObject(value)) return undefined;
  const { taskId, action, times } = value;
  const isPress = isId(taskId) && isId(action) && Number.isSafeInteger(times) && Number(times) >= 0;
  return isPress ? { taskId, action, times: Number(times) } : undefined;
}

export function asInbound(value: unknown): Inbound | undefined {
  if (!isObject(value)) return undefined;
  const { id, group, at } = value;
  const sender = asSpeaker(value['sender']);
  if (!isId(id) || !isId(group) || !sender || typeof at !== 'number' || !Number.isFinite(at))
    return undefined;
  const said = { id, group, sender, at };
  if (value['kind'] === 'action') {
    const press = asPress(value['press']);
    return press && { kind: 'action', ...said, press };
  }
  const mentions = listOf(value['mentions'] ?? [], asMention);
  const { text } = value;
  if (value['kind'] !== 'message' || typeof text !== 'string' || !mentions) return undefined;
  return { kind: 'message', ...said, text, mentions };
}

function asSpeaker(value: unknown): Speaker | undefined {
  const openId = textIn(value, 'openId');
  if (!isObject(value) || !isId(openId)) return undefined;
  return { openId, name: textIn(value, 'name'), isBot: value['isBot'] === true };
}

function asMention(value: unknown): Mention | undefined {
  const openId = textIn(value, 'openId');
  return isId(openId) ? { openId, name: textIn(value, 'name') } : undefined;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxId;
}

function listOf<T>(value: unknown, as: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = value.map(as).filter((item) => item !== undefined);
  return found.length === value.length ? found : undefined;
}
