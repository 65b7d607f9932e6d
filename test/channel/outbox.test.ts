import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Channel, Outgoing } from '../../src/channel/channel.ts';
import type { Outbox, Posting } from '../../src/channel/outbox.ts';
import { pump, type PumpOptions, type Trouble } from '../../src/channel/pump.ts';
import { backoffMs, retryAfterMs, SendError } from '../../src/channel/send-error.ts';
import { boardMail } from '../../src/kinds/board/outbox.ts';
import { scratch } from '../support/scratch.ts';

const posting = (key: string, more: Partial<Posting> = {}): Posting => ({
  key,
  group: 'g',
  content: { kind: 'text', text: key },
  ...more,
});

/** A chat in memory. `fail` may throw for a message before it is shown. */
function chat(fail: (message: Outgoing) => void = () => undefined): Channel & { shown: Outgoing[] } {
  const shown: Outgoing[] = [];
  return {
    name: 'memory',
    shown,
    send: async (message) => {
      fail(message);
      shown.push(message);
      return { id: message.key };
    },
    start: async () => undefined,
  };
}

const drain = (outbox: Outbox, channel: Channel, options: Partial<PumpOptions> = {}) =>
  pump(outbox, channel, { signal: new AbortController().signal, drain: true, backoff: () => 0, ...options });

const textOf = ({ content }: Outgoing): string => (content.kind === 'text' ? content.text : '');
const textsOf = (channel: { shown: Outgoing[] }): string[] => channel.shown.map(textOf);

describe('the outbox', () => {
  it('takes a key once, before and after it was sent, also in another process', async () => {
    const root = scratch();
    const { outbox } = boardMail(root);
    expect(await outbox.enqueue([posting('a'), posting('b'), posting('a')])).toBe(2);
    const channel = chat();
    expect(await drain(outbox, channel)).toEqual({ sent: 2, givenUp: 0 });
    expect(await boardMail(root).outbox.enqueue([posting('a'), posting('c')])).toBe(1);
    await drain(outbox, channel);
    expect(textsOf(channel)).toEqual(['a', 'b', 'c']);
  });

  it('lets one group fail without stopping the others', async () => {
    const { outbox } = boardMail(scratch());
    await outbox.enqueue([
      posting('a1', { group: 'a' }),
      posting('a2', { group: 'a' }),
      posting('b1', { group: 'b' }),
    ]);
    const channel = chat(({ group }) => {
      if (group === 'a') throw new SendError('busy', { retry: 'later', afterMs: 60_000 });
    });
    await drain(outbox, channel);
    expect(textsOf(channel)).toEqual(['b1']);
    expect(outbox.spool.waiting().map(({ value }) => value.tries)).toEqual([1, 0]);
  });

  it('gives up after so many tries, with the reason', async () => {
    const root = scratch();
    const { outbox } = boardMail(root);
    await outbox.enqueue([posting('a'), posting('b')]);
    const channel = chat(({ key }) => {
      if (key === 'a') throw new Error('no way');
    });
    const troubles: Trouble[] = [];
    const options = { maxTries: 3, onTrouble: (trouble: Trouble) => troubles.push(trouble) };
    expect(await drain(outbox, channel, options)).toEqual({ sent: 1, givenUp: 1 });
    expect(troubles.map(({ kind }) => kind)).toEqual(['retry', 'retry', 'given-up']);
    const folder = path.join(root, '.docket', 'board', 'outbox', 'dead');
    const [dead] = fs.readdirSync(folder);
    expect(JSON.parse(fs.readFileSync(path.join(folder, dead!), 'utf8'))).toMatchObject({
      value: { tries: 3, why: 'no way' },
    });
  });

  it('sends nothing before its time, and does not hold up the rest for it', async () => {
    const { outbox } = boardMail(scratch());
    const clock = { now: () => 1000 };
    await outbox.enqueue([posting('later', { after: 2000 }), posting('now')]);
    const channel = chat();
    await drain(outbox, channel, { clock });
    expect(textsOf(channel)).toEqual(['now']);
    await drain(outbox, channel, { clock: { now: () => 2000 } });
    expect(textsOf(channel)).toEqual(['now', 'later']);
  });

  it('makes one message of many, but not of answers, cards, or what may have been seen', async () => {
    const { outbox } = boardMail(scratch());
    const card = { title: 'c', lines: [], buttons: [] };
    await outbox.enqueue([posting('seen')]);
    const signal = new AbortController();
    const killed = chat(() => {
      signal.abort();
      throw new Error('killed here');
    });
    await pump(outbox, killed, { signal: signal.signal });
    await outbox.enqueue([
      ...['a', 'b', 'c'].map((key) => posting(key)),
      posting('answer', { whole: true }),
      posting('card', { content: { kind: 'card', card } }),
    ]);
    const channel = chat();
    const digest = { over: 2, render: (texts: readonly string[]) => `digest of ${texts.join(' ')}` };
    await drain(outbox, channel, { digest });
    expect(textsOf(channel)).toEqual(['seen', 'digest of a b c', 'answer', '']);
    await outbox.enqueue([posting('b')]);
    expect(outbox.counts()).toEqual({ waiting: 0, dead: 0 });
  });

  it('finishes a digest that was made before a crash', async () => {
    const { outbox } = boardMail(scratch());
    await outbox.enqueue([posting('a'), posting('b')]);
    const posts = outbox.spool.waiting();
    const covers = posts.map(({ name }) => name);
    const content = { kind: 'text' as const, text: 'digest' };
    outbox.spool.insertAt(posts[0]!, 'digest:a', { group: 'g', content, tries: 0, whole: true, covers });
    const channel = chat();
    await drain(outbox, channel);
    expect(textsOf(channel)).toEqual(['digest']);
  });

  it('puts aside what it did not write, and goes on', async () => {
    const root = scratch();
    const { outbox } = boardMail(root);
    await outbox.enqueue([posting('a')]);
    const waiting = path.join(root, '.docket', 'board', 'outbox', 'waiting');
    fs.writeFileSync(path.join(waiting, `000000000000-${'0'.repeat(40)}.json`), '{"key":"x"');
    fs.writeFileSync(path.join(waiting, 'notes.txt'), 'mine');
    const channel = chat();
    const troubles: Trouble[] = [];
    await drain(outbox, channel, { onTrouble: (trouble) => troubles.push(trouble) });
    expect(textsOf(channel)).toEqual(['a']);
    expect(troubles).toMatchObject([{ kind: 'unreadable' }]);
    expect(fs.existsSync(path.join(waiting, 'notes.txt'))).toBe(true);
  });

  it('has one sender at a time', async () => {
    const root = scratch();
    const { outbox } = boardMail(root);
    const stop = new AbortController();
    const first = pump(outbox, chat(), { signal: stop.signal });
    await expect(drain(boardMail(root).outbox, chat())).rejects.toMatchObject({ code: 'CONFLICT' });
    stop.abort();
    await first;
    await expect(drain(boardMail(root).outbox, chat())).resolves.toEqual({ sent: 0, givenUp: 0 });
  });

  it('is not led elsewhere by a link', () => {
    const root = scratch();
    fs.symlinkSync(scratch(), path.join(root, '.docket'));
    expect(() => boardMail(root)).toThrow('is a link');
  });
});

describe('waiting', () => {
  it('doubles, is uneven, and has an end', () => {
    expect([1, 2, 3].map((tries) => backoffMs(tries, 0.5))).toEqual([500, 1000, 2000]);
    expect([backoffMs(1, 0), backoffMs(1, 1)]).toEqual([400, 600]);
    expect(backoffMs(1e9, 0.5)).toBe(300_000);
  });

  it('is read from a header, and never for a year', () => {
    expect(retryAfterMs('2', 0)).toBe(2000);
    expect(retryAfterMs('Thu, 01 Jan 1970 00:00:05 GMT', 1000)).toBe(4000);
    expect(retryAfterMs('99999999', 0)).toBe(3_600_000);
    expect([retryAfterMs('soon', 0), retryAfterMs('', 0), retryAfterMs(null, 0)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
