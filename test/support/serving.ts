import { onTestFinished } from 'vitest';
import type { Channel, Inbound, Note, Reply } from '../../src/channel/channel.ts';
import { feishuChannel, type FeishuOptions } from '../../src/channel/feishu/channel.ts';
import { openIds } from '../../src/channel/feishu/openids.ts';
import { serve, type ServeOptions } from '../../src/channel/serve.ts';
import { boardMail } from '../../src/kinds/board/outbox.ts';
import { appId, appSecret, groupId, type FeishuServer } from './feishu-server.ts';

export interface Serving {
  handled: Inbound[];
  notes: Note[];
  /** Where it listens. A server that has a connection does not know yet whether somebody reads from it. */
  ready: Promise<string>;
  stop(): Promise<void>;
  done: Promise<void>;
}

/** Serves a channel from a folder of its own until the test ends. Tries again quickly: tests do not wait. */
export function serving(
  channel: Channel,
  root: string,
  reply: (inbound: Inbound) => Reply = () => ({}),
  options: Partial<ServeOptions> = {},
): Serving {
  const stop = new AbortController();
  const handled: Inbound[] = [];
  const notes: Note[] = [];
  let tell: (where: string) => void = () => undefined;
  const ready = new Promise<string>((resolve) => (tell = resolve));
  const done = serve({
    channel,
    ...boardMail(root),
    signal: stop.signal,
    backoff: () => 20,
    onNote: (note) => {
      notes.push(note);
      if (note.kind === 'ready') tell(note.where);
    },
    handle: async (inbound) => {
      handled.push(inbound);
      return reply(inbound);
    },
    ...options,
  });
  const end = (): Promise<void> => {
    stop.abort();
    return done;
  };
  onTestFinished(() => end().catch(() => undefined));
  return { handled, notes, ready, stop: end, done };
}

export function feishu(server: FeishuServer, options: Partial<FeishuOptions> = {}): Channel {
  const roles = openIds(new Map([['coder', { openId: 'ou_coder', name: 'Coder' }]]));
  const config = { appId, appSecret, domain: server.domain, groups: [groupId] };
  return feishuChannel({ config, roles, ...options });
}

/** Looks until it is so; the test's own limit is the only one. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

export const text = (words: string): Reply => ({ content: { kind: 'text', text: words } });
