import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentsBody, withBlock } from '../../../src/project/init/block.ts';

const start = '<!-- docket:start -->';
const end = '<!-- docket:end -->';
const body = 'one\ntwo';

describe('the block in AGENTS.md', () => {
  it('is the whole of a new file, and comes last in one that is there', () => {
    expect(withBlock(undefined, body, 'A')).toBe(`${start}\none\ntwo\n${end}\n`);
    expect(withBlock('# Ours', body, 'A')).toBe(`# Ours\n\n${start}\none\ntwo\n${end}\n`);
  });

  it('keeps every byte outside, whatever they are, and is not changed by a second time', () => {
    const words = fc.array(fc.constantFrom('# a', '', '\u00e9', '\uFEFF', '\t', 'docket:start', '```'));
    fc.assert(
      fc.property(words, words, fc.constantFrom('\n', '\r\n'), (above, below, eol) => {
        const [before, after] = [above.map((line) => line + eol).join(''), below.map((line) => eol + line)];
        const text = `${before}${start}${eol}old${eol}${end}${after.join('')}`;
        const once = withBlock(text, body, 'A');
        expect(once.startsWith(before) && once.endsWith(after.join(''))).toBe(true);
        expect(withBlock(once, body, 'A')).toBe(once);
        const fresh = withBlock(before, body, 'A');
        expect(fresh.startsWith(before)).toBe(true);
        expect(withBlock(fresh, body, 'A')).toBe(fresh);
      }),
      { numRuns: 200 },
    );
  });

  it('has the line ends of the text', () => {
    const text = withBlock('# Ours\r\n', body, 'A');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each([
    ['an end that is missing', `a\n${start}\nb\n`],
    ['a start that is missing', `a\n${end}\n`],
    ['the wrong order', `${end}\n${start}\n`],
    ['two blocks', `${start}\n${end}\n${start}\n${end}\n`],
    ['one in the other', `${start}\n${start}\n${end}\n`],
  ])('is refused where the markers are no pair: %s', (_what, text) => {
    expect(() => withBlock(text, body, 'AGENTS.md')).toThrow(/AGENTS\.md has markers .* line \d/);
  });

  it('cannot be ended by a command of the settings', () => {
    const text = withBlock(undefined, agentsBody([`a\n${end}\n\`b\``]), 'A');
    expect(withBlock(text, agentsBody([]), 'A')).toContain('run the tests');
  });
});
