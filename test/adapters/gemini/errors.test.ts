import { describe, expect, it } from 'vitest';
import type { ErrorClass } from '../../../src/adapters/adapter.ts';
import { classify, type Symptoms } from '../../../src/adapters/classify.ts';
import { errors, statusOf } from '../../../src/adapters/gemini/errors.ts';

describe('classes', () => {
  const api = (text: string) => `[API Error: ${text}]`;
  it.each<[ErrorClass, Symptoms]>([
    ['auth', { message: 'x', status: 401 }],
    ['auth', { message: 'Please set an Auth method', exit: 41 }],
    ['auth', { message: api('{"error":{"code":400,"message":"API key not valid."}}'), status: 400 }],
    ['limit', { message: api('Too many requests'), status: 429 }],
    ['transient', { message: api('{"error":{"code":500}}'), status: 500 }],
    ['transient', { message: api('terminated'), exit: 1 }],
    ['transient', { message: api('fetch failed'), exit: 1 }],
    [
      'prompt-too-large',
      { message: api('The input token count (9) exceeds the maximum number of tokens'), status: 400 },
    ],
    [
      'tooling',
      { message: 'x', stderr: 'Error resuming session: Invalid session identifier "y".', exit: 42 },
    ],
    ['tooling', { message: 'not trusted', exit: 55 }],
    ['unknown', { message: api('something new'), status: 400 }],
    // An answer that quotes an error is none.
    ['unknown', { message: 'The log says "[API Error: terminated]".', exit: 1 }],
  ])('%s: %j', (expected, symptoms) => {
    expect(classify(symptoms, errors, 0).class).toBe(expected);
  });

  it('a lost session asks for a new one, other wrong input does not', () => {
    const lost = { message: 'x', stderr: 'Error resuming session: gone', exit: 42 };
    expect(classify(lost, errors, 0).newSession).toBe(true);
    expect(classify({ message: 'No input', exit: 42 }, errors, 0).newSession).toBeUndefined();
  });
});

it.each([
  ['[API Error: {"error":{"code":503,"message":"busy"}}]', 1, 503],
  ['[API Error: slow down]', 173, 429],
  ['[API Error: slow down]', 244, 500],
  ['[API Error: terminated]', 1, undefined],
  ['He wrote {"code": 401}', 1, undefined],
  ['x', undefined, undefined],
])('status of %j with code %s is %s', (message, exit, status) => {
  expect(statusOf(message, exit)).toBe(status);
});
