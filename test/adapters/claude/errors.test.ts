import { expect, it } from 'vitest';
import { classify, type Symptoms } from '../../../src/adapters/classify.ts';
import { errors } from '../../../src/adapters/claude/launch.ts';

const now = Date.parse('2026-11-16T02:00:00Z');
const symptoms = (message: string, more: Partial<Symptoms> = {}): Symptoms => ({ message, ...more });

it.each([
  [
    'auth',
    symptoms('Failed to authenticate. API Error: 401 no', { status: 401, code: 'authentication_error' }),
  ],
  ['auth', symptoms('Not logged in · Please run /login')],
  ['auth', symptoms('Credit balance is too low', { status: 400, code: 'invalid_request_error' })],
  ['auth', symptoms('API Error: 402 no', { status: 402, code: 'billing_error' })],
  ['auth', symptoms("You've hit your monthly spend limit.")],
  ['limit', symptoms('API Error: Request rejected (429)', { status: 429, code: 'rate_limit_error' })],
  ['limit', symptoms("You've hit your 5-hour limit · resets 4:11am (UTC)")],
  ['limit', symptoms("You're out of extra usage · resets 2:30pm (UTC)")],
  ['transient', symptoms('API Error: 500 no', { status: 500, code: 'api_error' })],
  ['transient', symptoms('API Error: 529 Overloaded', { status: 529, code: 'overloaded_error' })],
  ['transient', symptoms('API Error: Connection error.')],
  ['transient', symptoms('Unable to connect to API (ECONNRESET)')],
  ['prompt-too-large', symptoms('Prompt is too long · the request is ~250000 tokens', { status: 400 })],
  ['prompt-too-large', symptoms('Request too large', { status: 413, code: 'invalid_request_error' })],
  ['auth', symptoms('API Error: 402 no', { status: 402, code: 'invalid_request_error' })],
  ['refused', symptoms('the model declined', { code: 'refusal' })],
  ['tooling', symptoms('API Error: 400 bad field', { status: 400, code: 'invalid_request_error' })],
  ['tooling', symptoms('API Error: 404 no such model', { status: 404, code: 'not_found_error' })],
  [
    'tooling',
    symptoms('it ended', { exit: 1, stderr: "error: unknown option '--nope'\n(Did you mean --name?)" }),
  ],
  ['tooling', symptoms('error_max_turns', { code: 'error_max_turns' })],
  ['unknown', symptoms('something new')],
])('%s: %j', (expected, found) => {
  expect(classify(found, errors, now).class).toBe(expected);
});

it.each([
  symptoms('No conversation found with session ID: c45b4ae2-f161-4b94-8aa4-0e29daa080ce'),
  symptoms('Error: Session ID c45b4ae2-f161-4b94-8aa4-0e29daa080ce is already in use.'),
])('the session is the problem: %j', (found) => {
  expect(classify(found, errors, now)).toMatchObject({ class: 'tooling', newSession: true });
});

it('a limit ends when the event says so', () => {
  const found = symptoms("You've hit your 5-hour limit", {
    code: 'rate_limit',
    status: 429,
    resetsAt: 1794802307,
  });
  expect(classify(found, errors, now)).toMatchObject({ class: 'limit', resetAt: '2026-11-16T04:11:47.000Z' });
});
