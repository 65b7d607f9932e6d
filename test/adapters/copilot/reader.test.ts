import { describe, expect, it } from 'vitest';
import { CopilotReader } from '../../../src/adapters/copilot/reader.ts';
import { readAll, recorded } from '../../support/request.ts';

const session = 'c2ee425f-20d6-4c4d-896b-b73cdc5e9489';
const read = (name: string, code = 0) =>
  readAll(new CopilotReader(session), recorded(import.meta.url, name), { code });

describe('recorded runs', () => {
  it('an edit', () => {
    const { events, finish } = read('edit');
    expect(finish).toEqual({ finished: true, text: 'written' });
    expect(
      events.map((event) => (event.type === 'tool' ? `${event.name} ${event.phase}` : event.type)),
    ).toEqual([
      'session',
      'text',
      'create start',
      'create end',
      'file',
      'edit start',
      'edit end',
      'file',
      'text',
    ]);
    expect(events.filter(({ type }) => type === 'file')).toEqual([
      { type: 'file', path: '/repo/out.txt', change: 'add' },
      { type: 'file', path: '/repo/out.txt', change: 'update' },
    ]);
  });

  it('what it may not do is denied, and it still ends well', () => {
    const { events, finish } = read('denied');
    expect(finish).toEqual({ finished: true, text: 'tried' });
    expect(events).toContainEqual({
      type: 'denied',
      text: 'bash: denied by the rule `shell`',
    });
  });

  it('a limit is told while it still tries, and is the end in the end', () => {
    const { events, finish } = read('limit', 1);
    expect(events.filter(({ type }) => type === 'limit')).toHaveLength(2);
    expect(finish).toMatchObject({ finished: false, failure: { code: 'rate_limit', status: 429 } });
  });

  it('the answer is the main agent’s, not a subagent’s', () => {
    const lines = recorded(import.meta.url, 'subagent');
    const main = lines.findLastIndex(({ type }) => type === 'assistant.message');
    const cut = lines.filter((_, index) => index !== main);
    expect(readAll(new CopilotReader(session), lines).finish.text).toBe('tried');
    expect(readAll(new CopilotReader(session), cut).finish.text).toBeUndefined();
  });
});

describe('what a stream may do', () => {
  const error = { type: 'session.error', data: { errorType: 'query', message: 'once', statusCode: 500 } };
  const answer = { type: 'assistant.message', data: { content: 'Done' } };

  it('an error that it got over is none', () => {
    const lines = [error, answer, { type: 'result', exitCode: 0 }];
    expect(readAll(new CopilotReader(session), lines).finish).toEqual({ finished: true, text: 'Done' });
  });

  it('without a result it has not finished', () => {
    expect(readAll(new CopilotReader(session), [answer]).finish).toEqual({ finished: false, text: 'Done' });
  });

  it('an abort is a failure', () => {
    const lines = [answer, { type: 'abort', data: { reason: 'user' } }];
    expect(readAll(new CopilotReader(session), lines).finish.failure?.message).toBe('it was aborted: user');
  });

  it.each([
    {},
    { type: 'assistant.message' },
    { type: 'assistant.message', data: 'text' },
    { type: 'tool.execution_complete', data: { success: true, fileEdits: [null, { path: 3 }, 'x'] } },
    { type: 'tool.execution_start', data: [] },
    { type: 'session.error', data: null },
    { type: 'model.call_failure', data: {} },
    { type: 'result', exitCode: '0' },
  ])('rubbish does not break it: %j', (line) => {
    expect(readAll(new CopilotReader(session), [line]).finish.finished).toBe(false);
  });
});
