import { describe, expect, it } from 'vitest';
import type { AgentEvent, AgentRequest } from '../../../src/adapters/adapter.ts';
import { StreamReader } from '../../../src/adapters/claude/reader.ts';
import { readAll, recorded as linesOf } from '../../support/request.ts';

type Asked = Pick<AgentRequest, 'session' | 'usedBefore'>;
const fresh: Asked = { session: { kind: 'new' } };

const read = (lines: readonly Record<string, unknown>[], asked: Asked = fresh) =>
  readAll(new StreamReader(asked), lines);

const recorded = (name: string) => linesOf(import.meta.url, name);

const of = (type: AgentEvent['type'], events: AgentEvent[]) => events.filter((event) => event.type === type);
const result = { type: 'result', subtype: 'success', is_error: false, result: 'done' };

describe('recorded runs', () => {
  it('an answer; input counts what came from the cache', () => {
    const usage = { input: 130, cached: 7, output: 45, cost: 0.0013934 };
    expect(read(recorded('answer'))).toEqual({
      events: [
        { type: 'session', id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown },
        { type: 'text', text: 'Hello. seen=hello' },
        { type: 'usage', turn: usage, session: usage },
      ],
      finish: { finished: true, text: 'Hello. seen=hello' },
    });
  });

  it('a resumed session: this turn, and all of it', () => {
    const { events } = read(recorded('resumed'), { session: { kind: 'resume', id: 'x' } });
    expect(of('usage', events)).toEqual([
      {
        type: 'usage',
        turn: { input: 250, cached: 50, output: 20, cost: expect.closeTo(0.00121) as unknown },
        session: { input: 380, cached: 57, output: 65, cost: 0.0026034 },
      },
    ]);
  });

  it('an edit', () => {
    const { events, finish } = read(recorded('edit'));
    expect(
      events.map((event) => [
        event.type,
        'phase' in event ? event.phase : '',
        'name' in event ? event.name : '',
      ]),
    ).toEqual([
      ['session', '', ''],
      ['tool', 'start', 'Read'],
      ['tool', 'end', 'Read'],
      ['tool', 'start', 'Edit'],
      ['tool', 'end', 'Edit'],
      ['file', '', ''],
      ['text', '', ''],
      ['usage', '', ''],
    ]);
    expect(of('file', events)).toEqual([{ type: 'file', path: '/repo/out.txt', change: 'update' }]);
    expect(finish).toEqual({ finished: true, text: 'edited' });
  });

  it('a denied command is told once, and the run still ends well', () => {
    const { events, finish } = read(recorded('denied'));
    expect(of('denied', events)).toEqual([
      { type: 'denied', text: expect.stringMatching(/^Bash: writing to/) as unknown },
    ]);
    expect(of('tool', events).at(-1)).toMatchObject({ phase: 'end', ok: false });
    expect(finish.finished).toBe(true);
  });

  it('a structured answer is the answer, not a tool', () => {
    const { events, finish } = read(recorded('structured'));
    expect(of('tool', events)).toEqual([]);
    expect(finish).toEqual({ finished: true, text: '{"answer":42}', structured: { answer: 42 } });
  });

  it('an error of the server: a success by its subtype, an error all the same', () => {
    const { events, finish } = read(recorded('server-error'));
    expect(of('text', events)).toEqual([]);
    expect(of('warning', events)).toEqual([
      { type: 'warning', text: 'server_error 500; claude tries again in 1 s' },
    ]);
    expect(finish).toMatchObject({ finished: false, failure: { status: 500, code: 'api_error' } });
    expect(finish.text).toBeUndefined();
  });

  it('a limit, with its end', () => {
    const { events, finish } = read(recorded('limit'));
    expect(of('limit', events)).toEqual([
      { type: 'limit', message: 'the five hour limit is reached', resetAt: '2026-11-16T04:11:47.000Z' },
    ]);
    expect(finish.failure).toMatchObject({ code: 'rate_limit', resetsAt: 1794802307, status: 429 });
  });

  it('an unknown session: no session, and no count of it', () => {
    const { events, finish } = read(recorded('unknown-session'), { session: { kind: 'resume', id: 'x' } });
    expect(of('session', events)).toEqual([]);
    expect(of('usage', events)).toEqual([{ type: 'usage', turn: { input: 0, cached: 0, output: 0 } }]);
    expect(finish.failure?.message).toMatch(/^No conversation found with session ID/);
  });
});

describe('limits', () => {
  const limit = (info: object) => ({ type: 'rate_limit_event', rate_limit_info: info });

  it.each([
    { status: 'allowed' },
    { status: 'allowed_warning', resetsAt: 1, rateLimitType: 'five_hour' },
    { status: 'rejected', isUsingOverage: true },
  ])('%j is none', (info) => {
    expect(read([limit(info)]).events).toEqual([]);
  });

  it('is over when requests are allowed again', () => {
    const failed = { ...result, is_error: true };
    const { finish } = read([
      limit({ status: 'rejected', resetsAt: 5 }),
      limit({ status: 'allowed' }),
      failed,
    ]);
    expect(finish.failure).toEqual({ message: 'done' });
  });

  it('a retry after 429 is a limit, another is a warning', () => {
    const retry = (status: number) => ({ type: 'system', subtype: 'api_retry', error_status: status });
    expect(read([retry(429), retry(529)]).events.map(({ type }) => type)).toEqual(['limit', 'warning']);
  });
});

describe('cost of older versions, which count it over the session', () => {
  const older = { ...result, total_cost_usd: 0.5, usage: { input_tokens: 1, output_tokens: 2 } };
  const usedBefore = { input: 9, cached: 0, output: 9, cost: 0.25 };
  const turn = { input: 1, cached: 0, output: 2 };

  it.each([
    [{ session: { kind: 'new' } }, { ...turn, cost: 0.5 }],
    [
      { session: { kind: 'resume', id: 'x' }, usedBefore },
      { ...turn, cost: 0.25 },
    ],
    [{ session: { kind: 'resume', id: 'x' } }, turn],
  ] as const)('%j', (asked, expected) => {
    expect(of('usage', read([older], asked).events)).toEqual([{ type: 'usage', turn: expected }]);
  });
});

describe('what else may come', () => {
  it('takes no session id that is not of its form', () => {
    const { events } = read([{ type: 'system', subtype: 'init', session_id: '--resume' }]);
    expect(events).toEqual([{ type: 'warning', text: expect.stringContaining('session') as unknown }]);
  });

  it('a refusal by the model is a failure', () => {
    expect(read([{ ...result, stop_reason: 'refusal' }]).finish).toMatchObject({
      finished: false,
      failure: { code: 'refusal' },
    });
  });

  it('without a result it is not finished', () => {
    expect(read([]).finish).toEqual({ finished: false });
  });

  it('a result that does not say whether it is an error is one', () => {
    expect(read([{ type: 'result', result: 'done' }]).finish.finished).toBe(false);
  });

  it('the last result counts, and the tokens of all', () => {
    const part = (text: string, outputTokens: number) => ({
      ...result,
      result: text,
      model_usage_since_last_result: { m: { inputTokens: 1, outputTokens } },
    });
    const { events, finish } = read([part('one', 1), part('two', 2)]);
    expect(of('usage', events).map((event) => 'turn' in event && event.turn?.output)).toEqual([1, 2]);
    expect(finish.text).toBe('two');
  });

  it.each([
    {},
    { type: 'assistant' },
    { type: 'assistant', message: { content: 'text' } },
    { type: 'assistant', message: { content: [null, { type: 'tool_use' }, { type: 'text', text: 7 }] } },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'never seen' }] } },
    { type: 'rate_limit_event' },
    { type: 'result', permission_denials: 'none', modelUsage: 7, errors: 'many' },
    { type: 'something_new' },
  ])('survives %j', (line) => {
    expect(() => read([line])).not.toThrow();
  });
});
