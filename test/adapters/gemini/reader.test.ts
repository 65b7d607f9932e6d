import { describe, expect, it } from 'vitest';
import { GeminiReader } from '../../../src/adapters/gemini/reader.ts';
import { readAll, recorded } from '../../support/request.ts';

const read = (name: string, code = 0) =>
  readAll(new GeminiReader(), recorded(import.meta.url, name), { code });

describe('recorded runs', () => {
  it('an edit', () => {
    const { events, finish } = read('edit');
    expect(finish).toEqual({ finished: true, text: 'written' });
    expect(
      events.map((event) => (event.type === 'tool' ? `${event.name} ${event.phase}` : event.type)),
    ).toEqual([
      'session',
      'text',
      'write_file start',
      'write_file end',
      'file',
      'replace start',
      'replace end',
      'file',
      'text',
      'usage',
    ]);
    expect(events.at(-1)).toEqual({ type: 'usage', turn: { input: 300, cached: 0, output: 30 } });
    expect(events).toContainEqual({ type: 'file', path: '/repo/out.txt', change: 'update' });
  });

  it('a write outside of the work tree is denied, and no file changed', () => {
    const { events, finish } = read('outside');
    expect(finish.finished).toBe(true);
    expect(events.filter(({ type }) => type === 'file')).toEqual([]);
    expect(events.filter(({ type }) => type === 'denied')).toHaveLength(1);
  });

  it.each([
    ['unauthorized', 145, 401],
    ['limit', 173, 429],
  ])('%s: code %i is status %i', (name, code, status) => {
    const { finish } = read(name, code);
    expect(finish).toMatchObject({ finished: false, failure: { status } });
  });
});

describe('what a stream may do', () => {
  const init = { type: 'init', session_id: 'x' };
  const say = (content: string, delta = true) => ({ type: 'message', role: 'assistant', content, delta });

  it('the prompt comes back as a message and is not an answer', () => {
    const lines = [init, { type: 'message', role: 'user', content: 'Do it.' }];
    expect(readAll(new GeminiReader(), lines).finish).toEqual({ finished: false });
  });

  it('an answer is what was said after the last tool', () => {
    const tool = { type: 'tool_use', tool_name: 'glob', tool_id: 't', parameters: {} };
    const lines = [say('I look'), tool, say('Do'), say('ne')];
    expect(readAll(new GeminiReader(), lines).finish.text).toBe('Done');
  });

  it('without a last word it has not finished, whatever the exit code', () => {
    expect(readAll(new GeminiReader(), [init, say('Half')]).finish).toEqual({
      finished: false,
      text: 'Half',
    });
  });

  it('thoughts count as output', () => {
    const stats = { total_tokens: 170, input_tokens: 100, output_tokens: 20, cached: 5 };
    const { events } = readAll(new GeminiReader(), [{ type: 'result', status: 'success', stats }]);
    expect(events).toEqual([{ type: 'usage', turn: { input: 100, cached: 5, output: 70 } }]);
  });

  it.each([
    { type: 'init' },
    { type: 'tool_result' },
    { type: 'tool_use', parameters: null },
    { type: 'result', stats: 'none', error: [] },
    { type: 'error' },
    { type: ['result'] },
    { type: 'message', role: 'assistant', content: { a: 1 } },
    {},
  ])('rubbish does not break it: %j', (line) => {
    expect(() => readAll(new GeminiReader(), [line])).not.toThrow();
  });
});
