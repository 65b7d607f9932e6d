import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorClasses } from '../../../../src/adapters/adapter.ts';
import { triageClasses } from '../../../../src/kinds/packet/format/facts.ts';
import { classify, policyOf, type Symptoms } from '../../../../src/kinds/packet/format/triage.ts';

const quiet: Symptoms = { gate: 'pass', exitCode: 1, stderrTail: [] };
const classOf = (some: Partial<Symptoms>) => classify({ ...quiet, ...some }).class;
const said = (...stderrTail: string[]) => classOf({ stderrTail });

describe('what a failure is', () => {
  it('is the gate’s word first, then the adapter’s, whatever else was said', () => {
    const stderrTail = ['Error: 401 Unauthorized'];
    const error = { class: 'limit', message: 'come back later' };
    expect(classOf({ gate: 'scope_violation', error, stderrTail, exitCode: 124 })).toBe('scope_violation');
    expect(classOf({ gate: 'contract_violation', exitCode: 0 })).toBe('contract_violation');
    expect(classOf({ error, stderrTail, exitCode: 124 })).toBe('limit');
  });

  it('follows the classes of adapters', () => {
    const found = Object.fromEntries(
      errorClasses.map((name) => [name, classOf({ exitCode: 0, error: { class: name, message: 'so' } })]),
    );
    expect(found).toEqual({
      transient: 'transient',
      limit: 'limit',
      auth: 'auth',
      'prompt-too-large': 'prompt_too_large',
      refused: 'unknown',
      tooling: 'tooling',
      timeout: 'timeout',
      stall: 'timeout',
      crashed: 'unknown',
      unknown: 'unknown',
    });
  });

  it('looks further where an adapter did not know better', () => {
    const crashed = { class: 'crashed', message: 'it ended with code 1' };
    expect(classOf({ error: crashed })).toBe('transient');
    expect(classOf({ error: crashed, stderrTail: ['Error: 401 Unauthorized'] })).toBe('auth');
    expect(classOf({ error: { class: 'constructor', message: 'Error: ECONNRESET' } })).toBe('transient');
    expect(classOf({ error: { class: 'refused', message: 'no' }, exitCode: 1 })).toBe('unknown');
  });

  it.each([
    [124, undefined, 'timeout'],
    [127, undefined, 'tooling'],
    [126, 'codex', 'tooling'],
    [13, 'codex', 'tooling'],
    [13, 'gemini', 'timeout'],
    [13, 'constructor', 'transient'],
    [14, 'gemini', 'prompt_too_large'],
    [10, 'gemini', 'tooling'],
    [11, 'gemini', 'tooling'],
    [12, 'gemini', 'transient'],
    [2, 'codex', 'tooling'],
    [30, 'copilot', 'tooling'],
    [31, 'copilot', 'tooling'],
    [33, 'copilot', 'timeout'],
    [32, 'copilot', 'transient'],
    [1, 'codex', 'transient'],
    [139, 'codex', 'transient'],
    [-1, 'codex', 'transient'],
    [0, 'codex', 'unknown'],
  ] as const)('exit code %i of %s is %s', (exitCode, tool, expected) => {
    expect(classOf({ exitCode, ...(tool && { tool }) })).toBe(expected);
  });

  it('tells too much input from bad input where one exit code stands for both', () => {
    const stderrTail = ['Error: prompt too large (60000 bytes)'];
    expect(classOf({ exitCode: 31, tool: 'copilot', stderrTail })).toBe('prompt_too_large');
  });

  it.each([
    ['auth', 'Error: 401 Unauthorized'],
    ['auth', '2026-02-02T10:00:00Z ERROR unexpected status 403 Forbidden: no access'],
    ['auth', '\u001B[31mError:\u001B[0m Invalid API key'],
    ['auth', 'Not logged in.'],
    ['limit', 'Error: 429 Too Many Requests'],
    ['limit', "error: You've hit your usage limit"],
    ['prompt_too_large', 'context length exceeded'],
    ['prompt_too_large', 'ApiError: Prompt is too long: 210000 tokens'],
    ['prompt_too_large', 'gemini: error: Too many input tokens'],
    ['transient', '2026-02-02T10:00:00 ECONNRESET by peer'],
    ['transient', 'Error: connect ECONNREFUSED 10.0.0.1:443'],
    ['transient', '[10:00:00 ERROR] stream error: stream disconnected before completion'],
    ['transient', 'HTTP 503 Service Unavailable'],
    ['timeout', 'Error: request timed out'],
    ['tooling', 'bash: codex: command not found'],
    ['tooling', 'sh: 1: codex: not found'],
    ['tooling', '/usr/bin/env: ‘node’: No such file or directory'],
    ['tooling', 'Error: spawn codex ENOENT'],
    ['tooling', "error: unexpected argument '--foo' found"],
  ])('%s: %s', (expected, line) => {
    expect(said('it thinks', line)).toBe(expected);
    // Exit code 0 says nothing by itself: it is the line that decides.
    expect(classOf({ exitCode: 0, stderrTail: [line] })).toBe(expected);
  });

  it.each([
    'The word forbidden stands in the list, and 401 tests passed.',
    '401 tests passed',
    'Connection pools are reset by the teardown',
    'connection refused is what we return here, so I change the test',
    'I will look for a timeout in the network code',
    'reading src/auth/unauthorized.ts: authentication required by the spec',
    'prompt too long lines are wrapped',
    'no token needed for this',
    'Rate limit exceeded pages need a test',
    'file not found handler added',
    'error handling for 429 and 503 is in place',
  ])('chatter is no error: %s', (line) => {
    expect(classOf({ exitCode: 0, stderrTail: [line] })).toBe('unknown');
  });

  it('believes the last error of the last forty lines', () => {
    expect(said('Error: ECONNRESET', 'retrying', 'Error: 401 Unauthorized', 'bye')).toBe('auth');
    const long = ['Error: 401 Unauthorized', ...Array.from({ length: 40 }, () => 'thinking')];
    expect(said(...long)).toBe('transient');
  });

  it('takes no longer for hostile lines', () => {
    const lines = ['error: '.repeat(50_000), '['.repeat(1e6), `${'a: '.repeat(1e5)}401`, ' '.repeat(1e6)];
    const stderrTail = Array.from({ length: 10 }, () => lines).flat();
    expect(classOf({ exitCode: 0, stderrTail })).toBe('unknown');
    fc.assert(fc.property(fc.array(fc.string()), (tail) => triageClasses.includes(said(...tail))));
  });
});

describe('what is done about it', () => {
  it('is a property of the class, with two or three suggestions', () => {
    expect(Object.fromEntries(triageClasses.map((name) => [name, policyOf(name)]))).toEqual({
      scope_violation: 'stop',
      contract_violation: 'stop',
      tooling: 'stop',
      transient: 'retry',
      prompt_too_large: 'digest-retry',
      auth: 'stop',
      limit: 'wait',
      timeout: 'retry',
      budget: 'stop',
      unknown: 'stop',
    });
    const error = { class: 'limit', message: 'later', resetAt: '2026-03-01T12:00:00Z' };
    const { actions } = classify({ ...quiet, error });
    expect(actions).toHaveLength(3);
    expect(actions[0]).toContain('2026-03-01T12:00:00Z');
    expect(classify(quiet).actions).toHaveLength(2);
  });
});
