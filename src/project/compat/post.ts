import { randomUUID } from 'node:crypto';
import type { Posting } from '../../channel/outbox.ts';
import type { Told } from '../../kinds/board/told.ts';

export type PostMode = 'send' | 'dry-run' | 'off';

/** What the original prints about a message: whom it went to, and what it said. */
export interface Sent {
  ok: boolean;
  dryRun: boolean;
  payload: { channel: 'feishu'; accountId: string; target: string; text: string; mode: PostMode };
  /** It is in the outbox of `docket chat`, or the log has it and the chat tells it from there. */
  queued: boolean;
  reason?: string;
}

export interface PostOptions {
  group: string;
  account: string;
  mode: PostMode;
  /** The board has a chat that sends what waits. */
  hasChat: boolean;
}

/**
 * Messages to the group. The board comes first: they are kept here until the command is written down, and then go to the
 * outbox. What is a fact of the log goes nowhere: the chat follows the log, and would tell it twice.
 */
export class Poster {
  readonly options: PostOptions;
  readonly postings: Posting[] = [];

  constructor(options: PostOptions) {
    this.options = options;
  }

  /** A message gets into the outbox of a chat. */
  get isHeard(): boolean {
    return this.options.mode === 'send' && this.#whyNot === undefined;
  }

  get #whyNot(): string | undefined {
    const { group, mode, hasChat } = this.options;
    return mode === 'off' ? 'mode=off' : group === '' ? 'no group' : hasChat ? undefined : 'no chat';
  }

  send(message: string | Told): Sent {
    const { group, account, mode } = this.options;
    const [text, told] = typeof message === 'string' ? [message, undefined] : [message.text, message];
    const target = `chat:${group}`;
    const payload = { channel: 'feishu' as const, accountId: told?.from ?? account, target, text, mode };
    const reason = this.#whyNot;
    const queued = this.isHeard;
    if (queued && (told === undefined || told.seq === 0))
      this.postings.push({
        key: told?.key ?? `compat:${randomUUID()}`,
        group,
        content: { kind: 'text', text },
        whole: true,
      });
    const why = mode === 'dry-run' || reason === undefined ? {} : { reason };
    return { ok: true, dryRun: mode === 'dry-run', payload, queued, ...why };
  }
}
