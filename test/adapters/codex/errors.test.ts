import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { classify } from '../../../src/adapters/classify.ts';
import { errors, symptomsOf } from '../../../src/adapters/codex/errors.ts';

const now = Date.parse('2026-11-16T02:00:00Z');
const body = (error: object) => JSON.stringify({ error });
const at = 'url: http://127.0.0.1:8080/v1/responses';

it.each([
  ['auth', `unexpected status 401 Unauthorized: no, ${at}`],
  ['auth', `unexpected status 402 Payment Required: no, ${at}`],
  ['auth', `unexpected status 403 Forbidden: no, ${at}`],
  ['auth', 'Your access token could not be refreshed. Please log out and sign in again.'],
  ['auth', 'Missing environment variable: `KEY`.'],
  ['auth', 'Quota exceeded. Check your plan and billing details.'],
  ['auth', body({ message: 'no money', code: 'insufficient_quota' })],
  ['limit', 'exceeded retry limit, last status: 429 Too Many Requests'],
  ['limit', 'You’ve hit your usage limit. Upgrade to Pro or try again at 3:51 AM.'],
  ['limit', body({ message: 'slow', code: 'rate_limit_exceeded' })],
  ['transient', 'We’re currently experiencing high demand, which may cause temporary errors.'],
  ['transient', `unexpected status 529 <unknown status code>: busy, ${at}`],
  ['transient', 'stream disconnected before completion: Transport error'],
  ['transient', 'Selected model is at capacity. Please try a different model.'],
  ['prompt-too-large', `unexpected status 413 Payload Too Large: no, ${at}`],
  ['prompt-too-large', body({ message: 'too long', code: 'context_length_exceeded' })],
  ['prompt-too-large', "Codex ran out of room in the model's context window. Start a new thread."],
  ['refused', body({ message: 'not this', code: 'invalid_prompt' })],
  ['tooling', body({ message: 'bad field', type: 'invalid_request_error', code: null })],
  ['unknown', 'something new'],
  ['unknown', '{"error": broken'],
])('%s: %s', (expected, message) => {
  expect(classify(symptomsOf(message), errors, now).class).toBe(expected);
});

it('takes the words and the reset time out of an answer of the API', () => {
  const symptoms = symptomsOf(
    body({ type: 'usage_limit_reached', message: 'used up', resets_at: 1794802307 }),
  );
  expect(symptoms).toEqual({ message: 'used up', code: 'usage_limit_reached', resetsAt: 1794802307 });
});

it.each([
  [1, 'Error: thread/resume: thread/resume failed: no rollout found for thread id X (code -32600)', true],
  [2, "error: unexpected argument '--nope' found\n\nUsage: codex exec", undefined],
])('exit %s with only stderr to tell why', (exit, stderr, newSession) => {
  const error = classify({ message: 'it ended', exit, stderr }, errors, now);
  expect(error).toMatchObject({ class: 'tooling' });
  expect(error.newSession).toBe(newSession);
});

it('says that a codex without `exec fork` is too old for it', () => {
  const stderr = `error: unexpected argument '${randomUUID()}' found\n\nUsage: codex exec [OPTIONS] [PROMPT]`;
  expect(classify({ message: 'it ended', exit: 2, stderr }, errors, now)).toEqual({
    class: 'tooling',
    message: expect.stringMatching(/too old to fork.*0\.148.*codex-app-server/),
  });
});

it.each([
  'no, I did not see "You’ve hit your usage limit" there',
  'The log says: stream disconnected before completion',
])('is not misled by a quotation: %s', (message) => {
  expect(classify(symptomsOf(message), errors, now).class).toBe('unknown');
});
