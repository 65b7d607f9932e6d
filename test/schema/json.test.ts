import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAndColumn, parseJson } from '../../src/schema/json.ts';

/** JSON that one edit may have broken. */
const edited = fc
  .tuple(
    fc.json({ maxDepth: 5 }),
    fc.nat(),
    fc.constantFrom('', ' ', '"', '\\', ',', '}', '[', '0', 'e', '-', '\n', '\u0001', 'é'),
    fc.nat(2),
  )
  .map(
    ([text, at, put, cut]) =>
      text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + cut),
  );

function strictly(text: string): { value: unknown } | 'not JSON' {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'not JSON';
  }
}

describe('parseJson', () => {
  it('says the same as JSON.parse of every text', () => {
    fc.assert(
      fc.property(edited, (text) => {
        const read = parseJson(text);
        expect('at' in read ? 'not JSON' : read).toEqual(strictly(text));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{"a": 1,}', 8, 'expected a key in double quotes'],
    ['{"a" 1}', 5, 'expected ":"'],
    ['[1 2]', 3, 'expected "," or "]"'],
    ['"a\nb"', 2, 'a line break or control character inside a text'],
    ['"a\\x"', 2, 'a backslash that begins no escape'],
    ['{} x', 3, 'there is more text behind it'],
    ['{"a": tru}', 6, 'expected a value'],
    ['{"a": "b', 8, 'it ends too early'],
  ])('says where %j is wrong', (text, at, message) => {
    expect(parseJson(text)).toEqual({ at, message });
  });

  it('counts lines and columns from one', () => {
    expect(lineAndColumn('ab\ncd\n', 4)).toEqual({ line: 2, column: 2 });
    expect(lineAndColumn('ab\ncd\n', 6)).toEqual({ line: 3, column: 1 });
    expect(lineAndColumn('', 0)).toEqual({ line: 1, column: 1 });
  });
});
