import { describe, expect, it } from 'vitest';
import { overlay, parseJsonc } from '../../src/adapters/jsonc.ts';

describe('parseJsonc', () => {
  it.each([
    ['{"a": "// no /* comment */ ,}"}', { a: '// no /* comment */ ,}' }],
    ['{ // one\n "a": 1, /* two\n */ }', { a: 1 }],
    ['{"a": [1, 2,\n],}', { a: [1, 2] }],
    ['{"a": "\\"// still text"}', { a: '"// still text' }],
  ])('%j', (text, value) => {
    expect(parseJsonc(text)).toEqual(value);
  });

  it.each(['', '[]', 'null', '"x"', '{', '{"a": 1 "b": 2}'])('refuses %j', (text) => {
    expect(() => parseJsonc(text)).toThrow(/JSON|no object/);
  });
});

describe('overlay', () => {
  it('joins objects and replaces the rest', () => {
    const under = { a: { x: 1, y: [1] }, b: 'text' };
    expect(overlay(under, { a: { y: [2] }, b: { z: 1 } })).toEqual({ a: { x: 1, y: [2] }, b: { z: 1 } });
    expect(under).toEqual({ a: { x: 1, y: [1] }, b: 'text' });
  });

  it('a key that names the prototype is a key', () => {
    const joined = overlay(parseJsonc('{"__proto__": {"bad": 1}}'), { a: 1 }) as Record<string, unknown>;
    expect(joined['bad']).toBeUndefined();
    expect(overlay({}, JSON.parse('{"__proto__": {"bad": 1}}'))).not.toHaveProperty('bad', 1);
    expect(({} as Record<string, unknown>)['bad']).toBeUndefined();
  });
});
