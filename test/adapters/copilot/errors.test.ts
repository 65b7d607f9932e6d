import { expect, it } from 'vitest';
import type { ErrorClass } from '../../../src/adapters/adapter.ts';
import { classify, type Symptoms } from '../../../src/adapters/classify.ts';
import { errors } from '../../../src/adapters/copilot/launch.ts';

const retried =
  'Failed to get response from the AI model; retried 5 times (total retry wait time: 5.00 seconds)';

it.each<[ErrorClass, Symptoms]>([
  ['auth', { message: 'Authentication failed', code: 'authentication', status: 401 }],
  ['auth', { message: 'x', stderr: 'Error: No authentication information found.\n', exit: 1 }],
  ['limit', { message: `${retried} Last error: 429 slow down`, code: 'rate_limit', status: 429 }],
  ['transient', { message: `${retried} Last error: 500 x`, code: 'query', status: 500 }],
  ['transient', { message: `${retried} Last error: Failed native model HTTP request: EOF`, code: 'query' }],
  ['prompt-too-large', { message: '400 the prompt is too long', code: 'query', status: 400 }],
  ['tooling', { message: 'x', stderr: "Error: No session, task, or name matched 'y'.\n", exit: 1 }],
  ['tooling', { message: 'x', stderr: "error: unexpected argument '--y' found\n", exit: 1 }],
  ['unknown', { message: '400 something new', code: 'query', status: 400 }],
  ['unknown', { message: 'The log says "Error: No session found"', exit: 1 }],
])('%s: %j', (expected, symptoms) => {
  expect(classify(symptoms, errors, 0).class).toBe(expected);
});

it('a lost session asks for a new one', () => {
  const lost = { message: 'x', stderr: "Error: No session, task, or name matched 'y'.\n", exit: 1 };
  expect(classify(lost, errors, 0).newSession).toBe(true);
});
