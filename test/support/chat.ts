import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Action, Channel, Content, Listener } from '../../src/channel/channel.ts';
import { openIds } from '../../src/channel/feishu/openids.ts';
import { systemClock } from '../../src/io/clock.ts';
import type { ChatInput, ChatNews } from '../../src/project/chat/api.ts';
import { chatFor } from '../../src/project/chat/chat.ts';
import { mention } from '../../src/render/board/notice.ts';
import { until } from './serving.ts';

/** The group that is told what happens, and one more that is heard. */
export const [team, other] = ['team', 'other'];

interface Seen {
  key: string;
  group: string;
  content: Content;
}

/** A board that is worked from a chat in memory. */
export interface TestChat {
  /** What people see: each key once, as a vendor shows it. */
  shown: Seen[];
  /** Every try. */
  sent: Seen[];
  news: ChatNews[];
  /** Until this, nothing that is sent arrives. */
  held: Promise<void>;
  /** Resolves when it was acted on. */
  say(text: string, from?: string, about?: { group?: string; isBot?: boolean; id?: string }): Promise<void>;
  press(press: Action['press'], from?: string, id?: string): Promise<string | undefined>;
  /** Until nothing waits to be acted on or sent. */
  rest(): Promise<void>;
  texts(group?: string): string[];
  stop(): Promise<void>;
}

let made = 0;

export async function testChat(
  root: string,
  input: Omit<ChatInput, 'env'> = { locale: 'en' },
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<TestChat> {
  const stop = new AbortController();
  fs.mkdirSync(path.join(root, 'out'), { recursive: true });
  fs.writeFileSync(path.join(root, 'out/test.log'), '12 tests pass\n'); // what reports point to
  const [shown, sent]: [Seen[], Seen[]] = [[], []];
  const news: ChatNews[] = [];
  let hear: (listener: Listener) => void = () => undefined;
  const heard = new Promise<Listener>((resolve) => (hear = resolve));
  const channel: Channel = {
    name: 'memory',
    send: async (message) => {
      await own.held;
      sent.push(message);
      if (!shown.some(({ key }) => key === message.key)) shown.push(message);
      return { id: message.key };
    },
    start: async (listener, signal) => {
      hear(listener);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  };
  const roles = openIds(
    new Map([
      ['coder', { openId: 'ou_coder', name: 'Coder' }],
      ['orchestrator', { openId: 'ou_bot', name: 'Orchestrator' }],
    ]),
  );
  const where = { root, env, clock: systemClock, warn: () => undefined };
  const chat = chatFor(
    where,
    { env: {}, ...input },
    {
      channel,
      roles,
      groups: [team, other],
      place: 'memory',
      secrets: [],
      settleMs: 0,
      mentionOf: (role) => mention(role, roles.byRole.get(role)),
      check: async () => ({}),
    },
  );
  const done = chat.serve(stop.signal, (one) => news.push(one));
  const end = (): Promise<void> => {
    stop.abort();
    return done;
  };
  onTestFinished(() => end().catch(() => undefined));
  const listener = await Promise.race([heard, done.then(() => Promise.reject(new Error('it ended')))]);
  const about = (from: string, group: string, id: string, isBot = false) => ({
    id,
    group,
    at: Date.now(),
    sender: { openId: from, name: from, isBot },
  });
  const rest = () => until(() => isEmpty(root, 'inbox') && isEmpty(root, 'outbox'));
  const own: TestChat = {
    held: Promise.resolve(),
    shown,
    sent,
    news,
    say: async (text, from = 'ou_ann', { group = team, isBot, id = `m${(made += 1)}` } = {}) => {
      await listener.onMessage({ kind: 'message', ...about(from, group, id, isBot), text, mentions: [] });
      await rest();
    },
    press: async (press, from = 'ou_ann', id = `p${(made += 1)}`) => {
      const { toast } = await listener.onAction({ kind: 'action', ...about(from, team, id), press });
      await rest();
      return toast;
    },
    rest,
    texts: (group = team) =>
      shown
        .filter((one) => one.group === group)
        .map(({ content }) =>
          content.kind === 'text' ? content.text : [content.card.title, ...content.card.lines].join('\n'),
        ),
    stop: end,
  };
  return own;
}

function isEmpty(root: string, box: 'inbox' | 'outbox'): boolean {
  return fs.readdirSync(path.join(root, '.docket/board', box, 'waiting')).length === 0;
}
