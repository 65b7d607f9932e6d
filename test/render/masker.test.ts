import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWorthMasking } from '../../src/render/known-secrets.ts';
import { MaskStream } from '../../src/render/mask-stream.ts';
import { makeMasker } from '../../src/render/masker.ts';
import { secretsInFile, variablesIn } from '../../src/render/secret-file.ts';

const secrets = [
  'pa"ss\\wo/rd é<x>',
  '1234567890',
  'plain-secret-value',
  'first line of it\nsecond line of it',
];
const masker = makeMasker(secrets);
const token = `ghp_${'a1B2'.repeat(10)}`;

describe('a masker', () => {
  it.each([
    [`it is ${secrets[0]}!`, 'it is [REDACTED]!'],
    [JSON.stringify(JSON.stringify({ a: secrets[0] })), String.raw`"{\"a\":\"[REDACTED]\"}"`],
    [Buffer.from('plain-secret-value').toString('base64'), expect.stringContaining('[REDACTED]')],
    [Buffer.from('u:plain-secret-value!').toString('base64'), expect.stringContaining('[REDACTED]')],
    [Buffer.from('user:plain-secret-value').toString('base64url'), expect.stringContaining('[REDACTED]')],
    [`https://u:${'p'.repeat(9)}@host/`, 'https://u:[REDACTED]@host/'],
    [`Basic ${btoa('user:pass')}`, 'Basic [REDACTED_TOKEN]'],
  ])('takes secrets out of %j', (text, expected) => {
    expect(masker.text(text)).toEqual(expected);
    expect(masker.text(masker.text(text))).toBe(masker.text(text));
  });

  it.each([
    ['aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'aws_secret_access_key=[REDACTED]'],
    ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIbPxRfiCYEXAMPLEKEY', 'AWS_SECRET_ACCESS_KEY=[REDACTED]'],
    ['export DB_PASSWORD="correcthorse"; ls', 'export DB_PASSWORD="[REDACTED]"; ls'],
    ['DB_PASSWORD=correcthorse', 'DB_PASSWORD=[REDACTED]'],
    ['AccountName=x;AccountKey=abcd1234/efgh+5678==', 'AccountName=x;AccountKey=[REDACTED]'],
    [
      `{"text":"set DB_PASSWORD=hunter2xyz next","access_token":"abc123def456"}`,
      `{"text":"set DB_PASSWORD=[REDACTED] next","access_token":"[REDACTED]"}`,
    ],
    ['api-key: 0123456789abcdef', 'api-key: [REDACTED]'],
  ])('takes out what is assigned to a telling name: %j', (text, expected) => {
    expect(masker.lines(text)).toBe(expected);
    expect(masker.lines(masker.lines(text))).toBe(expected);
  });

  it.each([
    'const password = getPassword1()',
    'password: string',
    'const token = req.headers.authorization1',
    'apiKey: process.env.KEY1234',
    'DB_PASSWORD=$DB_PASSWORD',
    'DB_PASSWORD=${VAULT_2}',
    '{"cache_read_input_tokens":123456,"session_token":12345678}',
    'passwordField = document.getElementById("x1")',
    'PRIVATE_KEY_PATH=/home/x/key1.pem',
    'MAX_TOKEN=4096000',
    'the API key: see docs/setup.md',
    'a secret: nobody knows it',
    '## Basic Configuration',
    'bearer authentication is required',
    'password: "is yours"',
    'http://localhost:3000/@x',
  ])('leaves %j', (text) => expect(masker.text(text)).toBe(text));

  it('keeps JSON what it is, whatever is written how', () => {
    const value = { 1234567890: [1234567890, secrets[0]], n: 12, token };
    const ascii = JSON.stringify(value).replaceAll(
      /[é<>]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    for (const text of [JSON.stringify(value), ascii])
      expect(JSON.parse(masker.lines(`${text}\n`))).toEqual({
        '[REDACTED]': ['[REDACTED]', '[REDACTED]'],
        n: 12,
        token: '[REDACTED_GH_TOKEN]',
      });
    const same = { a: ['b', { c: 1 }] };
    expect(masker.value(same)).toBe(same);
  });
});

it('a stream masks the same, however it is cut into pieces, and changes no other byte', () => {
  const piece = fc.constantFrom(
    ...secrets,
    token,
    JSON.stringify({ a: secrets[0], n: 1234567890 }),
    'word ',
    '\n',
    '{"a":1}\n',
    'é',
    '\u0000',
  );
  const cuts = fc.array(fc.nat(400), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), cuts, fc.boolean(), (pieces, at, waits) => {
      const bytes = Buffer.from(pieces.join(''));
      const stream = new MaskStream(masker);
      const out: Buffer[] = [];
      let from = 0;
      for (const to of [...new Set(at)].filter((one) => one < bytes.length).toSorted((a, b) => a - b)) {
        out.push(stream.push(bytes.subarray(from, to)));
        if (waits) out.push(stream.idle());
        from = to;
      }
      out.push(stream.push(bytes.subarray(from)), stream.end());
      const text = Buffer.concat(out).toString('utf8');
      for (const needle of [...secrets.slice(0, 3), 'second line of it', token])
        expect(text).not.toContain(needle);
      expect(stream.changed || text === bytes.toString('utf8')).toBe(true);
      expect(waits || inOne(text) === inOne(whole(bytes))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

/** Two lines of one secret are masked together or each, as they come. */
function inOne(text: string): string {
  return text.replaceAll(/(?:\[REDACTED\]\s*)+/g, '[REDACTED]');
}

function whole(bytes: Buffer): string {
  const stream = new MaskStream(masker);
  return Buffer.concat([stream.push(bytes), stream.end()]).toString('utf8');
}

it('knows what is worth it', () => {
  const not = ['short', 'true', 'PRODUCTION', '/usr/local/bin', './a/b.txt', '${OTHER}', '********'];
  expect(not.filter(isWorthMasking)).toEqual([]);
  const worth = ['hunter22', '/aB3dEfGh1JkLmN0pQrS7/uVwX', 'correct horse'];
  expect(worth.filter(isWorthMasking)).toEqual(worth);
});

it('reads the files in which people keep them', () => {
  const text = `# mine\nexport A="x \\"y\\"\\nz" # why\nB='raw $1'\nC=bare # no\nD=\n`;
  expect(variablesIn(text)).toEqual({ A: 'x "y"\nz', B: 'raw $1', C: 'bare', D: '' });
  expect(secretsInFile('{"a":{"b":["one","two"]}}')).toEqual(['one', 'two']);
  expect(secretsInFile('-----BEGIN X-----\nabc\n')).toEqual(['-----BEGIN X-----\nabc']);
});
