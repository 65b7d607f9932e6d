import { expect, it } from 'vitest';
import { patternFrom } from '../../src/render/pattern.ts';

it.each([
  ['ACME-[0-9]+', { source: 'ACME-[0-9]+', flags: 'gu' }],
  ['(?i)acme', { source: 'acme', flags: 'giu' }],
  ['(?P<key>x)y', { source: '(?<key>x)y', flags: 'gu' }],
  [String.raw`a\-b`, { source: String.raw`a\-b`, flags: 'g' }],
  [String.raw`\p{Lu}+`, { source: String.raw`\p{Lu}+`, flags: 'gu' }],
  ['(', undefined],
  ['', undefined],
  ['(?i)', undefined],
  [String.raw`\Akey\Z`, undefined],
  [String.raw`\p{Lu}\-`, undefined],
])('reads the pattern %j', (text, expected) => {
  expect(patternFrom(text)).toEqual(expected);
});
