import { describe, expect, test } from 'vitest';
import { classify, noticeIn, refusalIn, type Rule, type Symptoms } from '../../src/adapters/classify.ts';

const now = Date.parse('2026-11-15T16:30:00Z');
const table: readonly Rule[] = [
  { code: 'context_length_exceeded', class: 'prompt-too-large', newSession: true },
  { text: /^no session with id/im, class: 'unknown', newSession: true },
  { exit: 55, class: 'tooling' },
  { status: [400, 499], text: /^safety/i, class: 'refused' },
];

describe('a failure is of one class', () => {
  test.each<[Symptoms, object]>([
    [
      { message: 'no', status: 401 },
      { class: 'auth', status: 401 },
    ],
    [
      { message: 'pay', status: 402 },
      { class: 'auth', status: 402 },
    ],
    [{ message: 'no', status: 403 }, { class: 'auth' }],
    [{ message: 'late', status: 408 }, { class: 'transient' }],
    [
      { message: 'big', status: 413 },
      { class: 'prompt-too-large', newSession: true },
    ],
    [{ message: 'slow down', status: 429 }, { class: 'limit' }],
    [{ message: 'slow down', status: 429, code: 'insufficient_quota' }, { class: 'auth' }],
    [
      { message: 'slow', status: 429, retryAfter: 20 },
      { class: 'limit', resetAt: '2026-11-15T16:30:20.000Z' },
    ],
    [
      { message: 'Please try again in 20s', status: 429 },
      { class: 'limit', resetAt: '2026-11-15T16:30:20.000Z' },
    ],
    [
      { message: 'try again in 20s', status: 429, retryAfter: 60 },
      { class: 'limit', resetAt: '2026-11-15T16:31:00.000Z' },
    ],
    [{ message: 'overloaded', status: 529 }, { class: 'transient' }],
    [
      { message: 'busy', status: 503, retryAfter: '5' },
      { class: 'transient', resetAt: '2026-11-15T16:30:05.000Z' },
    ],
    [{ message: 'spawn x ENOENT', code: 'ENOENT' }, { class: 'tooling' }],
    [
      { message: 'x', code: 'context_length_exceeded', status: 400 },
      { class: 'prompt-too-large', newSession: true },
    ],
    [
      { message: 'died', stderr: 'a\nno session with id 7\nb' },
      { class: 'unknown', newSession: true },
    ],
    [{ message: 'died', exit: 55 }, { class: 'tooling' }],
    [{ message: 'Safety first', status: 400 }, { class: 'refused' }],
    [{ message: 'Safety first' }, { class: 'unknown' }],
    [
      { message: "You've hit your limit · resets 7pm (UTC)" },
      { class: 'limit', resetAt: '2026-11-15T19:00:00.000Z' },
    ],
    [{ message: 'Credit balance is too low' }, { class: 'auth' }],
    [{ message: 'boom' }, { class: 'unknown' }],
  ])('%j', (symptoms, expected) => {
    const error = classify(symptoms, table, now);
    expect(error).toMatchObject(expected);
    expect('resetAt' in error).toBe('resetAt' in expected);
    expect(error.message).toBe(symptoms.message);
  });

  test('an assumed zone is said in the message', () => {
    const error = classify({ message: 'resets 7pm (Mars/Olympus)', status: 429 }, [], now);
    expect(error.message).toMatch(
      /^resets 7pm \(Mars\/Olympus\) \(the time zone "Mars\/Olympus" is unknown here/,
    );
  });
});

describe('a refusal', () => {
  test.each([
    "I'm sorry, but I can't help with that.",
    'I’m sorry, but I cannot assist with that request.',
    'Sorry, I can’t assist with this.',
    'I cannot help with that.',
    "I can't help you with that request because it may be harmful.",
    'I am unable to assist with creating malware.',
    "I'm unable to help with this request.",
    "I won't help with that.",
    'I cannot fulfill this request. My guidelines do not allow it.',
    'I cannot comply with that request.',
    "Unfortunately, I can't complete this request.",
    "I can't do that.",
    'I must decline this request.',
    'API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy.',
    'This request was blocked by the content filter.',
  ])('is: %s', (text) => {
    expect(refusalIn(text)).toBe(true);
    expect(noticeIn(text, now)).toMatchObject({ class: 'refused' });
  });

  test.each([
    "I can't help but notice that the tests were red before; they are green now.",
    'I cannot continue without the database password. Which one is it?',
    "I can't do that until the migration has run, so I ran it first.",
    'I was unable to run the tests: docker is missing. The code is done.',
    'Done. The bot now says "I\'m sorry, but I can\'t help with that."',
    'I cannot complete the migration: the column `x` has nulls. Shall I drop them?',
    'I can not reproduce it.',
    'I can’t find the file, so I made a new one.',
    '{"status":"blocked","summary":"I cannot help with that"}',
    'I cannot help with that.\n```json\n{"status":"blocked","summary":"refused"}\n```',
    `I can't help with that. ${'But here is the rest of what I did. '.repeat(30)}`,
    'This request was handled in handler.ts.',
  ])('is not: %s', (text) => {
    expect(refusalIn(text)).toBe(false);
    expect(noticeIn(text, now)).toBeUndefined();
  });
});

describe('what stands where an answer should be', () => {
  test.each<[string, string]>([
    ['Credit balance is too low', 'auth'],
    ['Your credit balance is too low. Please add credits.', 'auth'],
    ['You have reached your monthly spend limit.', 'auth'],
    ['Error: 402 Payment Required', 'auth'],
    ['Invalid API key · Please run /login', 'auth'],
    ['Not logged in. Please run `x login`.', 'auth'],
    ['Prompt is too long', 'prompt-too-large'],
    ['prompt is too long: 215000 tokens > 200000 maximum', 'prompt-too-large'],
    ['Error: context window exceeded', 'prompt-too-large'],
    ["You're out of extra usage · resets 2:30pm (UTC)", 'limit'],
  ])('%s', (text, expected) => {
    expect(noticeIn(text, now)).toMatchObject({ class: expected });
  });

  test.each([
    'Prompt is too long in two places;\nI cut both.',
    'The credit balance is too low check now works.',
    'Invalid API key errors now have a test. All is green.\nSee the diff.',
    'Prompt is too long, so I cut it.',
    'Prompt is too long. I cut it.',
    'Invalid API key errors now have a test.',
    'Not logged in users now see the form.',
    'Payment required: I asked the owner.',
    'Done.',
    '',
  ])('an answer: %s', (text) => {
    expect(noticeIn(text, now)).toBeUndefined();
  });
});
