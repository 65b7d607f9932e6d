import type { Action, Inbound, Message, Reply } from '../../channel/channel.ts';
import { clip } from '../../channel/clip.ts';
import type { OpenIds } from '../../channel/feishu/openids.ts';
import type { Outbox } from '../../channel/outbox.ts';
import type { Asked, Heard } from '../../kinds/board/act.ts';
import type { Board } from '../../kinds/board/board.ts';
import type { Trust } from '../../task/schema.ts';
import type { ChatNews } from './api.ts';
import type { GroupLanguage } from './chat-state.ts';
import { postingOf } from './mail.ts';

export interface Counter {
  board: Board;
  channel: string;
  outbox: Outbox;
  roles: OpenIds;
  /** Under which name somebody acts. */
  actorOf: (openId: string) => string;
  trustOf: (openId: string) => Trust | undefined;
  /** The group that is told what happens. */
  group: string;
  /** The language, how much is told, and how people are called. */
  how: Pick<Asked, 'locale' | 'visibility' | 'mentionOf'>;
  /** The language of what the group is told. */
  language: GroupLanguage;
  onNews: (news: ChatNews) => void;
}

const longestToast = 300;

/** What a button may stand for. */
const answers = [
  'approve_review',
  'request_changes',
  'unblock_task',
  'reopen_task',
  'escalate_task',
  'cancel_task',
] as const;

/**
 * Does what somebody in a chat wants, under the id of their message: handled again after a crash, it is done once. What
 * everybody is told about it is told here first, and answers the message where it was said.
 */
export async function handle(counter: Counter, inbound: Inbound, signal: AbortSignal): Promise<Reply> {
  const { outbox, group, onNews } = counter;
  const heard = await (inbound.kind === 'message'
    ? said(counter, inbound, signal)
    : pressed(counter, inbound, signal));
  const { outcome, route, notices, reply } = heard;
  const answered = isAnswered(heard);
  const whole = answered ? { whole: true as const } : {};
  await outbox.enqueue(notices.map((told) => ({ ...postingOf(told, group), ...whole })));
  onNews({ kind: 'heard', id: inbound.id, group: inbound.group, by: route.actor, ...factsOf(heard) });
  if (inbound.kind === 'action') return { toast: clip(reply, longestToast) };
  // People in a group talk about other things too.
  const isTalk = outcome.kind === 'unknown' && !route.addressed;
  const isTold = answered && inbound.group === group;
  return isTalk || isTold || reply === '' ? {} : { content: { kind: 'text', text: reply } };
}

async function said(counter: Counter, message: Message, signal: AbortSignal): Promise<Heard> {
  const { board, roles, how, group, language } = counter;
  const { text, sender } = message;
  const trust = counter.trustOf(sender.openId);
  const words = {
    ...how,
    text,
    sender: { actor: counter.actorOf(sender.openId), isBot: sender.isBot },
    names: { roleOf: (openId: string) => roles.roleOf(openId) },
  };
  if (!language.isKnown) language.hear(await board.route(words));
  return board.say({
    ...words,
    ...(trust && { trust }),
    ...(group !== '' && { group }),
    noticeLocale: language.locale,
    key: keyOf(counter, message),
    later: true,
    signal,
  });
}

/** A button of a card: an answer to that asking of the task, and to no other. */
function pressed(counter: Counter, action: Action, signal: AbortSignal): Promise<Heard> {
  const { board, how, language } = counter;
  const { taskId, times } = action.press;
  const intent = answers.find((one) => one === action.press.action);
  const trust = counter.trustOf(action.sender.openId);
  const asked = {
    ...how,
    locale: language.locale,
    ...(trust && { trust }),
    actor: counter.actorOf(action.sender.openId),
    later: true,
    signal,
  };
  // Not one of our cards: what it says is shown as something that nobody understands.
  if (!intent) return board.act({ intent: 'unknown', raw: action.press.action }, asked);
  return board.act({ intent, taskId }, { ...asked, times, key: keyOf(counter, action) });
}

function keyOf({ channel }: Counter, { kind, id }: Inbound): string {
  return `${channel}:${kind}:${id}`;
}

/** Everybody is told in the same words as who asked: once is enough. */
function isAnswered({ outcome: { kind }, notices }: Heard): boolean {
  return notices.length > 0 && (kind === 'moved' || kind === 'dispatched' || kind === 'clarified');
}

function factsOf({ route: { intent }, outcome }: Heard) {
  const taskId = 'task' in outcome ? outcome.task.taskId : 'taskId' in intent ? intent.taskId : undefined;
  return {
    intent: intent.intent,
    outcome: outcome.kind === 'moved' ? outcome.move : outcome.kind,
    ...(taskId !== undefined && { taskId }),
  };
}
