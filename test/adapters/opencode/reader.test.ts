import { describe, expect, it } from 'vitest';
import { OpencodeReader } from '../../../src/adapters/opencode/reader.ts';
import { readAll, recorded } from '../../support/request.ts';

const read = (name: string, code = 0) =>
  readAll(new OpencodeReader(), recorded(import.meta.url, name), { code });

describe('recorded runs', () => {
  it('an edit', () => {
    const { events, finish } = read('edit');
    expect(finish).toEqual({ finished: true, text: 'written' });
    expect(
      events.map((event) => (event.type === 'tool' ? `${event.name} ${event.phase}` : event.type)),
    ).toEqual([
      'session',
      'text',
      'write start',
      'write end',
      'file',
      'usage',
      'edit start',
      'edit end',
      'file',
      'usage',
      'text',
      'usage',
    ]);
    expect(events.filter(({ type }) => type === 'file')).toEqual([
      { type: 'file', path: '/repo/out.txt', change: 'add' },
      { type: 'file', path: '/repo/out.txt', change: 'update' },
    ]);
  });

  it('a write outside of the work tree is denied, and no file changed', () => {
    const { events, finish } = read('outside');
    expect(finish).toEqual({ finished: true, text: 'tried' });
    expect(events.filter(({ type }) => type === 'denied')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'file')).toEqual([]);
  });

  it('a limit says when to come back', () => {
    expect(read('limit', 1).finish).toEqual({
      finished: false,
      failure: { message: 'scripted failure 429', status: 429, code: 'APIError', retryAfter: '2' },
    });
  });
});

describe('what a stream may do', () => {
  const text = (said: string) => ({ type: 'text', part: { text: said } });
  const start = { type: 'step_start', part: {} };
  const end = (reason: string) => ({ type: 'step_finish', part: { reason } });
  const finish = (...lines: Record<string, unknown>[]) => readAll(new OpencodeReader(), lines).finish;

  it('the answer is all that the last step said', () => {
    const lines = [start, text('First'), end('tool-calls'), start, text('One'), text('Two'), end('stop')];
    expect(finish(...lines)).toEqual({ finished: true, text: 'One\n\nTwo' });
  });

  it.each([
    ['between two steps', [start, text('I look'), end('tool-calls')]],
    ['in a step', [start, text('Half')]],
    ['in a step after a whole one', [start, text('All'), end('stop'), start]],
    ['before all', []],
  ])('a stream that ends %s has not finished', (_where, lines) => {
    expect(finish(...lines).finished).toBe(false);
  });

  it.each(['length', 'content-filter'])('an end by %s is a failure', (reason) => {
    expect(finish(start, text('Half'), end(reason)).failure?.code).toBe(reason);
  });

  it('the cache is part of the input, thoughts are output, and a price of nothing is no price', () => {
    const tokens = { input: 116, output: 45, reasoning: 5, cache: { read: 7, write: 3 } };
    const used = (cost: number) =>
      readAll(new OpencodeReader(), [{ type: 'step_finish', part: { tokens, cost } }]).events;
    expect(used(0)).toEqual([{ type: 'usage', turn: { input: 126, cached: 7, output: 50 } }]);
    expect(used(0.5)).toEqual([{ type: 'usage', turn: { input: 126, cached: 7, output: 50, cost: 0.5 } }]);
  });

  it.each([
    {},
    { type: 'text' },
    { type: 'tool_use', part: { state: 'x' } },
    { type: 'step_finish', part: { tokens: { input: 'many' } } },
    { type: 'error', error: 'x' },
    { type: 'error', error: { data: { responseHeaders: { 'retry-after': 3 } } } },
    { sessionID: 3 },
  ])('rubbish does not break it: %j', (line) => {
    expect(finish(line).finished).toBe(false);
  });
});
