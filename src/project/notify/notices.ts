import path from 'node:path';
import type { Post } from '../../channel/outbox.ts';
import { messageOf } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { desktopProgram, showOnDesktop } from '../../io/desktop.ts';
import { isOwnFolder } from '../../io/own-folder.ts';
import { boardMail } from '../../kinds/board/outbox.ts';
import { readConfig } from '../../settings/read-config.ts';
import { readCursor } from '../chat/chat-state.ts';
import { readBook } from './book-file.ts';
import { post, show, waysOf, webhookBox, webhookTo, type NotifyWhere, type Settings } from './channels.ts';

/** How people hear that they are needed. */
export interface Notices {
  /** Sends one message by every way that is set up. */
  test(): Promise<Tried[]>;
  /** What was told and what could not be. Takes no lock and makes nothing. */
  status(): Promise<NotifyStatus>;
}

export interface Tried {
  way: 'terminal' | 'desktop' | 'webhook' | 'chat';
  ok: boolean;
  /** What happened to it, or what is missing. */
  text: string;
}

export interface NotifyStatus {
  /** By which ways people are told from here. */
  ways: readonly Tried['way'][];
  /** What waits to be told with others. */
  waiting: readonly { key: string; text: string; since: string }[];
  /** The latest last. */
  told: readonly { key: string; at: string }[];
  /** What the webhook has not taken yet, or never will. */
  webhook: { waiting: readonly Unsent[]; dead: readonly Unsent[] };
}

export interface Unsent {
  key: string;
  text: string;
  tries: number;
  why?: string;
}

const words = 'docket can reach you. This is a test; nothing needs you.';
const shownTold = 50;

export function makeNotices(where: NotifyWhere): Notices {
  const settings = async (): Promise<Settings> => (await readConfig(where.root, where.env)).notify ?? {};
  return {
    async test() {
      const set = await settings();
      const tried: Tried[] = [];
      for (const way of waysOf(set, where)) tried.push({ way, ...(await tries[way](set, where)) });
      return tried;
    },
    status: async () => statusOf(await settings(), where),
  };
}

type Try = (settings: Settings, where: NotifyWhere) => Promise<Omit<Tried, 'way'>>;

const tries: Readonly<Record<Tried['way'], Try>> = {
  async terminal({ terminal = 'bell' }, where) {
    show(words, { terminal }, where);
    return { ok: true, text: terminal === 'osc' ? 'an OSC 9 message was written' : 'the bell was rung' };
  },
  async desktop(_settings, { env }) {
    const program = desktopProgram(env);
    if (program === undefined)
      return { ok: false, text: 'there is no desktop here, or no notify-send for it' };
    showOnDesktop(program, 'docket', words, env);
    return { ok: true, text: `handed to ${path.basename(program)}` };
  },
  async webhook({ webhook = '' }, where) {
    const key = `notify-test:${where.clock.now()}`;
    const message = { key, group: 'notify', content: { kind: 'text', text: words } } as const;
    try {
      await webhookTo(webhook, where).send(message, new AbortController().signal);
      const again = await webhookBox(where.root).retryDead();
      if (again > 0) await post({ webhook }, where, new AbortController().signal);
      const more = again > 0 ? `, and ${again} that had been given up were tried again` : '';
      return { ok: true, text: `${new URL(webhook).origin} has taken it${more}` };
    } catch (error) {
      return { ok: false, text: messageOf(error) };
    }
  },
  async chat(_settings, { root, clock }) {
    const group = readCursor(root)?.group;
    if (group === undefined)
      return { ok: false, text: fix`no chat was ever served here (${command`chat`})`.text };
    const content = { kind: 'text', text: words } as const;
    await boardMail(root, { clock }).outbox.enqueue([
      { key: `notify-test:${clock.now()}`, group, content, whole: true },
    ]);
    return {
      ok: true,
      text: fix`it waits for the docket that serves the chat (${command`chat status`})`.text,
    };
  },
};

function statusOf(settings: Settings, where: NotifyWhere): NotifyStatus {
  const { root } = where;
  const { waiting, told } = readBook(root);
  const iso = (at: number): string => new Date(at).toISOString();
  const hasBox = isOwnFolder(path.join(root, '.docket', 'notify', 'outbox', 'waiting'));
  const spool = hasBox ? webhookBox(root).spool : undefined;
  return {
    ways: waysOf(settings, where),
    waiting: waiting.map(({ key, text, at }) => ({ key, text, since: iso(at) })),
    told: told.slice(-shownTold).map(([key, at]) => ({ key, at: iso(at) })),
    webhook: {
      waiting: spool?.entries('waiting').map(unsent) ?? [],
      dead: spool?.entries('dead').map(unsent) ?? [],
    },
  };
}

function unsent({ key, value: { content, tries: count, why } }: Post): Unsent {
  const text = content.kind === 'text' ? content.text : content.card.title;
  return { key, text, tries: count, ...(why !== undefined && { why }) };
}
