import { describe, expect, it } from 'vitest';
import type { AgentRequest } from '../../../src/adapters/adapter.ts';
import { ExecReader } from '../../../src/adapters/codex/reader.ts';
import { readAll, recorded as linesOf } from '../../support/request.ts';

type Asked = Pick<AgentRequest, 'session' | 'usedBefore' | 'schema'>;
const id = '01a1e20d-a899-7cc2-bcbf-81a0789856b5';
const fresh: Asked = { session: { kind: 'new' } };

const read = (lines: readonly Record<string, unknown>[], asked: Asked = fresh) =>
  readAll(new ExecReader(asked), lines);

const recorded = (name: string) => linesOf(import.meta.url, name);

const message = (text: string) => ({
  type: 'item.completed',
  item: { id: 'i', type: 'agent_message', text },
});
const used = (input: number, cached: number, output: number) => ({
  type: 'turn.completed',
  usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
});

describe('recorded runs', () => {
  it('an edit', () => {
    const usage = { input: 200, cached: 0, output: 20 };
    expect(read(recorded('edit'))).toEqual({
      events: [
        { type: 'session', id: '01a1e20d-ab74-7652-a51c-af0d9d12aedc' },
        { type: 'tool', phase: 'start', id: 'item_0', name: 'edit', input: '/repo/out.txt' },
        { type: 'tool', phase: 'end', id: 'item_0', name: 'edit', ok: true },
        { type: 'file', path: '/repo/out.txt', change: 'add' },
        { type: 'text', text: 'written' },
        { type: 'usage', session: usage, turn: usage },
      ],
      finish: { finished: true, text: 'written' },
    });
  });

  it('a command that fails', () => {
    const tools = read(recorded('shell')).events.filter(({ type }) => type === 'tool');
    const command = "/bin/bash -lc 'echo hi; exit 3'";
    expect(tools).toEqual([
      { type: 'tool', phase: 'start', id: 'item_0', name: 'shell', input: command },
      { type: 'tool', phase: 'end', id: 'item_0', name: 'shell', ok: false, output: 'hi\n' },
    ]);
  });

  it('a limit', () => {
    const message = 'exceeded retry limit, last status: 429 Too Many Requests';
    const { events, finish } = read(recorded('limit'));
    expect(events.slice(1)).toEqual([{ type: 'limit', message }]);
    expect(finish).toEqual({ finished: false, failure: { message, status: 429 } });
  });
});

describe('usage runs over the whole thread', () => {
  const usedBefore = { input: 323, cached: 57, output: 65 };
  const session = { input: 523, cached: 107, output: 85 };
  const turn = { input: 200, cached: 50, output: 20 };

  it.each(['resume', 'fork'] as const)('%s: what was used before is subtracted', (kind) => {
    const { events } = read([used(523, 107, 85)], { session: { kind, id }, usedBefore });
    expect(events).toEqual([{ type: 'usage', session, turn }]);
  });

  it('stays unknown for this turn when nobody knows what was used before', () => {
    const { events } = read([used(523, 107, 85)], { session: { kind: 'resume', id } });
    expect(events).toEqual([{ type: 'usage', session }]);
  });

  it('stays unknown when it is not told', () => {
    expect(read([{ type: 'turn.completed' }]).events).toEqual([]);
  });
});

describe('the answer', () => {
  const schema = { type: 'object' };

  it('is the last message', () => {
    expect(read([message('one'), message('two'), used(1, 0, 1)]).finish.text).toBe('two');
  });

  it.each([
    ['{"answer":42}', { answer: 42 }],
    ['[1]', [1]],
    ['42', undefined],
    ['Sorry, no.', undefined],
  ])('to a schema: %s', (text, structured) => {
    const { finish } = read([message(text), used(1, 0, 1)], { ...fresh, schema });
    expect(finish).toEqual({ finished: true, text, ...(structured !== undefined && { structured }) });
  });

  it('without a schema is text, whatever it looks like', () => {
    expect(read([message('{"answer":42}'), used(1, 0, 1)]).finish.structured).toBeUndefined();
  });
});

describe('what else may come', () => {
  it('takes no session id that is not of its form', () => {
    const { events } = read([{ type: 'thread.started', thread_id: '--last' }]);
    expect(events).toEqual([{ type: 'warning', text: expect.stringContaining('session') as unknown }]);
  });

  it('says when a tool was not allowed', () => {
    const item = { id: 'i', type: 'command_execution', command: 'rm x', status: 'declined' };
    expect(read([{ type: 'item.completed', item }]).events).toEqual([
      { type: 'tool', phase: 'start', id: 'i', name: 'shell', input: 'rm x' },
      { type: 'tool', phase: 'end', id: 'i', name: 'shell', ok: false },
      { type: 'denied', text: 'shell: rm x' },
    ]);
  });

  it('does not take a patch that failed for a change', () => {
    const item = { id: 'i', type: 'file_change', changes: [{ path: 'a', kind: 'add' }], status: 'failed' };
    const { events } = read([{ type: 'item.completed', item }]);
    expect(events.some(({ type }) => type === 'file')).toBe(false);
  });

  it('forgets an error that it got over', () => {
    const { finish } = read([{ type: 'error', message: 'odd' }, message('done'), used(1, 0, 1)]);
    expect(finish).toEqual({ finished: true, text: 'done' });
  });

  it('is not finished when it just stops', () => {
    expect(read([message('half')]).finish).toEqual({ finished: false, text: 'half' });
  });

  it.each([
    {},
    { type: 7 },
    { type: 'item.completed' },
    { type: 'item.completed', item: 'x' },
    { type: 'item.started', item: { type: 'file_change', changes: 'all' } },
    { type: 'item.completed', item: { type: 'file_change', changes: [null, { path: 7 }] } },
    { type: 'turn.failed' },
    { type: 'error' },
    { type: 'something.new', data: {} },
  ])('survives %j', (line) => {
    expect(() => read([line])).not.toThrow();
  });
});
