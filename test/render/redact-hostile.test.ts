import { expect, it } from 'vitest';
import { redact } from '../../src/render/redact.ts';

const pieces = [
  'a',
  'password=',
  'password="',
  'secret_',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----END PRIVATE KEY-----',
  '_eyJ',
  '-sk-',
  '://a:',
  'Bearer ',
  '\\',
  ' ',
  'MIIEMIIEMIIEMIIE\n',
];

// Ten megabytes of each take well under a second; what looks at every letter again and again would not end today.
it.each(pieces)('ends soon on ten megabytes of %j', (piece) => {
  const text = `-----BEGIN PRIVATE KEY-----\npassword="\n${piece.repeat(1e7 / piece.length)}`;
  const once = redact(text).text;
  expect(once).toMatch(/^\[REDACTED_PRIVATE_KEY\]/);
  expect(redact(once).count).toBe(0);
});
