import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/errors/nearest.ts';
import { age } from '../../../src/surfaces/cli/frame/format.ts';
import { cut, displayWidth, padEnd, visible, visibleLines } from '../../../src/surfaces/cli/frame/visible.ts';

describe('visible', () => {
  it.each([
    ['\u001B[31mred\u001B[0m', String.raw`\e[31mred\e[0m`],
    ['a\rb\nc\td', String.raw`a\rb\nc d`],
    ['ring\u0007', String.raw`ring\x07`],
    ['\u009B2J', String.raw`\x9b2J`],
    ['abc\u202Etxt.exe', String.raw`abc\u{202e}txt.exe`],
    ['\u2066x\u2069\u200F\u061C', String.raw`\u{2066}x\u{2069}\u{200f}\u{61c}`],
    ['zero\u200Bwidth\uFEFF', String.raw`zero\u{200b}width\u{feff}`],
    ['tag\u{E0041}', String.raw`tag\u{e0041}`],
    ['half\uD800', String.raw`half\u{d800}`],
    ['日本語 👩‍💻 é', '日本語 👩‍💻 é'],
  ])('%j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('leaves nothing that a terminal would obey', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // oxlint-disable-next-line no-control-regex
        expect(visible(text)).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/);
      }),
    );
  });

  it('keeps lines apart and indents them', () => {
    expect(visibleLines('one\ntwo\u0007\r\nthree\n')).toBe('one\n  two\\x07\n  three');
  });
});

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['ｱ', 1],
    ['Ａ', 2],
    ['한글', 4],
    ['e\u0301', 1],
    ['🚀', 2],
    ['👩‍💻', 2],
    ['👍🏽', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['ä…', 2],
    ['⌚', 2],
    ['©', 1],
    ['䷀', 2],
    ['𛀁', 2],
  ])('%s is %i wide', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('cuts by columns and never in the middle of a character', () => {
    expect(cut('hello', 5)).toBe('hello');
    expect(cut('hello!', 5)).toBe('hell…');
    expect(cut('日本語', 6)).toBe('日本語');
    expect(cut('日本語', 5)).toBe('日本…');
    expect(cut('日本語', 4)).toBe('日…');
    expect(cut('abc', 0)).toBe('');
    expect(padEnd('日', 4)).toBe('日  ');
  });

  it('never cuts to more than the columns', () => {
    const unit = fc.constantFrom('a', '日', 'é', 'e\u0301', '🚀', '👩‍💻', '❤️', '🇩🇪');
    fc.assert(
      fc.property(fc.string({ unit }), fc.nat(20), (text, columns) => {
        expect(displayWidth(cut(text, columns))).toBeLessThanOrEqual(columns);
        expect(cut(text, columns) === text).toBe(displayWidth(text) <= columns);
      }),
    );
  });
});

describe('nearest', () => {
  const known = ['add', 'list', 'validate', 'completion', 'help', 'version'];
  it.each([
    ['lsit', 'list'],
    ['ls', 'list'],
    ['val', 'validate'],
    ['LIST', 'list'],
    ['verison', 'version'],
    ['complete', 'completion'],
    ['frobnicate', undefined],
    ['', undefined],
  ])('%s -> %s', (typed, expected) => {
    expect(nearest(typed, known)).toBe(expected);
  });
});

describe('age', () => {
  it.each([
    ['2026-03-01T11:59:50Z', '10s'],
    ['2026-03-01T11:00:00Z', '1h'],
    ['2026-03-01T11:55:00Z', '5m'],
    ['2026-01-01T12:00:00Z', '59d'],
    ['2026-03-02T12:00:00Z', '0s'],
    ['yesterday', '?'],
  ])('%s is %s old', (since, shown) => {
    expect(age(since, Date.parse('2026-03-01T12:00:00Z'))).toBe(shown);
  });
});
