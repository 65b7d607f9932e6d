import fc from 'fast-check';
import { describe as about, expect, it } from 'vitest';
import { agentmeshLayout as layout } from '../../../../../src/kinds/directory/format/layout.ts';
import { runs } from '../../../queue/format/arbitraries.ts';
import { taskFile } from './arbitraries.ts';
import { adopted, describe, fileIn, fixtures } from './support.ts';

about('a task directory that another tool made', () => {
  it.each(fixtures)('is cut and joined to the same bytes: $name', ({ text }) => {
    expect(layout.join(layout.split(text))).toBe(text);
    expect(layout.split(text).entries).toHaveLength(1);
  });

  it.each(fixtures)('is described as it was: $name', ({ text }) => {
    const file = fileIn(text);
    expect(describe(adopted(file))).toEqual(file);
  });
});

about('any file', () => {
  it('is read as it was written, and described as it was read', () => {
    fc.assert(
      fc.property(taskFile, fc.constantFrom('\n', '\r\n'), (file, eol) => {
        const text = layout.render(file, layout.split(eol));
        expect(fileIn(text)).toEqual(file);
        expect(text.replaceAll(eol, '')).not.toMatch(/[\r\n]/);
        const now = describe(adopted(file));
        const { createdAt, updatedAt } = now;
        const state = file.state === 'working' ? 'created' : file.state;
        expect(now).toEqual({ ...file, state, createdAt, updatedAt });
      }),
      runs(500),
    );
  });

  it('is one entry, and never an empty list of them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const sheet = layout.split(text);
        expect(layout.join(sheet)).toBe(text);
        expect(sheet.entries).toHaveLength(text.trim() === '' ? 0 : 1);
      }),
      runs(500),
    );
    const [first] = layout.split('# all of it is a comment now\n').entries;
    expect(first && layout.parse(first)).toHaveProperty('wrong');
  });
});
