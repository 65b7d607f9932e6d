import { expect, it } from 'vitest';
import type { ErrorClass } from '../../../src/adapters/adapter.ts';
import { classify, type Symptoms } from '../../../src/adapters/classify.ts';
import { errors } from '../../../src/adapters/opencode/launch.ts';

it.each<[ErrorClass, Symptoms]>([
  ['auth', { message: 'x', code: 'APIError', status: 401 }],
  ['auth', { message: 'x', code: 'ProviderAuthError' }],
  ['limit', { message: 'x', code: 'APIError', status: 429, retryAfter: '2' }],
  ['transient', { message: 'x', code: 'APIError', status: 500 }],
  ['transient', { message: 'Connection reset by server', code: 'retryable' }],
  ['transient', { message: 'x', stderr: 'Error: database is locked', exit: 1 }],
  ['prompt-too-large', { message: 'x', code: 'ContextOverflowError' }],
  [
    'prompt-too-large',
    { message: "This model's maximum context length exceeded", code: 'APIError', status: 400 },
  ],
  ['refused', { message: 'x', code: 'content-filter' }],
  ['tooling', { message: 'x', stderr: '\u001B[91m\u001B[1mError: \u001B[0mSession not found\n', exit: 1 }],
  ['tooling', { message: 'Model not found: a/b.', exit: 1 }],
  ['unknown', { message: 'x', code: 'length' }],
  ['unknown', { message: 'something new', code: 'APIError', status: 400 }],
])('%s: %j', (expected, symptoms) => {
  expect(classify(symptoms, errors, 0).class).toBe(expected);
});

it('a lost session asks for a new one', () => {
  expect(classify({ message: 'Error: Session not found', exit: 1 }, errors, 0).newSession).toBe(true);
});
