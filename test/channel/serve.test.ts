import { describe, expect, it } from 'vitest';
import type { Channel, Listener, Message } from '../../src/channel/channel.ts';
import { addressOf } from '../../src/channel/listen-at.ts';
import { DocketError } from '../../src/errors.ts';
import { boardMail } from '../../src/kinds/board/outbox.ts';
import { scratch } from '../support/scratch.ts';
import { serving, text, until } from '../support/serving.ts';

/** A chat in memory: `say` comes from people, `shown` is what they see. */
function chat(): Channel & { shown: string[]; listener?: Listener } {
  const own: Channel & { shown: string[]; listener?: Listener } = {
    name: 'memory',
    shown: [],
    send: async ({ content }) => {
      own.shown.push(content.kind === 'text' ? content.text : '');
      return { id: '1' };
    },
    start: async (listener, signal) => {
      own.listener = listener;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  };
  return own;
}

const said = (id: string, at = 0): Message => ({
  kind: 'message',
  id,
  group: 'g',
  at,
  text: id,
  mentions: [],
  sender: { openId: 'ann', name: 'Ann', isBot: false },
});

describe('serving a chat', () => {
  it('acts again on what a crash left undone, and answers once', async () => {
    const root = scratch();
    const { inbox, outbox } = boardMail(root);
    await inbox.take('memory', said('m1'));
    const reply = { kind: 'text' as const, text: 'heard m1' };
    await outbox.enqueue([{ key: 'reply:memory:message:m1', group: 'g', content: reply, whole: true }]);
    const channel = chat();
    const { handled } = serving(channel, root, () => text('heard m1'));
    await until(() => inbox.spool.waiting().length === 0 && channel.shown.length > 0);
    expect(handled.map(({ id }) => id)).toEqual(['m1']);
    expect(channel.shown).toEqual(['heard m1']);
  });

  it('tries again what fails, and does not let it stop the others', async () => {
    const root = scratch();
    const channel = chat();
    const tries: string[] = [];
    const handle = async ({ id }: { id: string }) => {
      tries.push(id);
      if (id === 'bad') throw new Error('broken');
      if (id === 'busy' && tries.filter((tried) => tried === id).length < 5)
        throw new DocketError('LOCK_TIMEOUT', 'held', 'wait');
      return text(`heard ${id}`);
    };
    const { notes } = serving(channel, root, undefined, { handle, settleMs: 50 });
    await until(() => channel.listener !== undefined);
    await Promise.all(['bad', 'busy', 'good'].map((id, at) => channel.listener!.onMessage(said(id, at))));
    await until(() => channel.shown.length === 2);
    expect(channel.shown).toEqual(['heard busy', 'heard good']);
    expect(tries.filter((id) => id === 'bad')).toHaveLength(3);
    expect(notes).toContainEqual({ kind: 'trouble', text: 'message bad: broken' });
    expect(boardMail(root).inbox.spool.entries('dead')).toMatchObject([
      { value: { why: 'broken', tries: 3 } },
    ]);
  });

  it('is done once per board', async () => {
    const root = scratch();
    const first = serving(chat(), root);
    await expect(serving(chat(), root).done).rejects.toMatchObject({ code: 'CONFLICT' });
    await first.stop();
  });

  it('goes on after what passes by itself, and tells it', async () => {
    let lives = 0;
    const beside = async (stop: AbortSignal): Promise<void> => {
      lives += 1;
      if (lives < 3) throw new DocketError('LOCK_TIMEOUT', `held ${lives}`, 'wait');
      await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
    };
    const served = serving(chat(), scratch(), undefined, { beside: [beside] });
    await until(() => lives === 3);
    await served.stop();
    expect(served.notes.map((note) => note.kind === 'trouble' && note.text)).toEqual(['held 1', 'held 2']);
  });

  it('ends with the error of whatever cannot go on', async () => {
    const broken = { ...chat(), start: async () => Promise.reject(new Error('no such port')) };
    await expect(serving(broken, scratch()).done).rejects.toThrow('no such port');
  });
});

describe('an address to listen on', () => {
  it.each([
    ['8787', { host: '127.0.0.1', port: 8787 }],
    ['localhost:1', { host: 'localhost', port: 1 }],
    ['[::1]:80', { host: '::1', port: 80 }],
  ])('%s', (given, address) => {
    expect(addressOf(given)).toEqual(address);
  });

  it.each(['0.0.0.0:80', '[::]:80', 'example.com:80', '127.0.0.1.evil.com:80'])(
    '%s has to be meant',
    (given) => {
      expect(() => addressOf(given)).toThrow('other machines');
      expect(addressOf(given, { open: true }).port).toBe(80);
    },
  );

  it.each(['', ':', '127.0.0.1', '1:2:3', '99999', 'a b:1'])('%j is none', (given) => {
    expect(() => addressOf(given)).toThrow('not an address');
  });
});
