import { describe, expect, it } from 'vitest';
import { endOf } from '../../src/adapters/exec.ts';

const now = Date.parse('2026-03-01T20:00:00Z');
const ended = (stderr: string, code = 1) =>
  endOf({ finished: false }, { code }, { strays: '', child: { stderrTail: () => stderr }, errors: [], now })
    .error;

describe('a program that fails with the words of a rate limit', () => {
  it.each([
    'Error: 429',
    'HTTP 429 Too Many Requests',
    'requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://api.example/v1',
    'openai.RateLimitError: Error code: 429 - {"error": {"message": "slow down"}}',
    'AxiosError: Request failed with status code 429\n    at settle (axios.js:1:1)\n    at end (axios.js:2:2)\n\nNode.js v20.20.2',
    'Error: rate limit exceeded for requests per minute on this key of yours, see the docs',
    'fatal: rate limited by the gateway (request 77)',
    'rate_limit_error: slow down',
    'connecting\ntoo many requests, slow down please',
  ])('waits: %s', (stderr) => {
    expect(ended(stderr)).toMatchObject({ class: 'limit' });
  });

  it('waits as long as it says', () => {
    expect(ended('Error: 429 Too Many Requests, retry after 20 seconds or so, thanks')).toMatchObject({
      class: 'limit',
      resetAt: '2026-03-01T20:00:20.000Z',
    });
  });

  it.each([
    'AssertionError: 429 !== 200',
    'AssertionError: rate limit exceeded was not thrown',
    'Error: expected 429 to be 200',
    'Error: cannot read rate-limit.yaml',
    'Error: rate limiter is not configured',
    '429 passed, 1 failed',
    'Error: 4290 is no port',
    'Error: 429 Too Many Requests, trying again\nError: the disk is full',
    'TypeError: x is not a function\n    at rateLimit (limit.js:429:1)',
    'segmentation fault',
  ])('crashed: %s', (stderr) => {
    expect(ended(stderr)).toMatchObject({ class: 'crashed' });
  });
});
