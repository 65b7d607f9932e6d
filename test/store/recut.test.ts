import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Entry, Sheet } from '../../src/layout/layout.ts';
import { queueLayout as layout } from '../../src/layout/queue/layout.ts';
import { recut } from '../../src/store/recut.ts';

const entry = (name: string, more = ''): string =>
  `  - name: ${name}\n    status: pending\n    content: Do it\n    created_at: "2026-01-01"\n    started_at: null\n    completed_at: null\n${more}`;
const file = (...entries: readonly string[]): string => `# mine\ntasks:\n${entries.join('')}`;

/** The sheet with some entries changed, and the text that is written then. */
function written(sheet: Sheet, changes: Readonly<Record<string, Record<string, string>>>): [string, Entry[]] {
  const kept = sheet.entries.map((one) => {
    const set = changes[one.ref];
    const text = set ? layout.patch(one, set) : one.text;
    if (typeof text !== 'string') throw new Error(text.message);
    return set ? { ...one, text } : one;
  });
  return [layout.join({ ...sheet, entries: kept }), kept];
}

it('knows what it wrote as if it had cut it again', () => {
  const sheet = layout.split(file(entry('a'), entry('b', '\n# about c\n'), entry('c')));
  const [text, kept] = written(sheet, { a: { summary: 'One\nline more\n' }, b: { status: 'running' } });
  expect(recut(layout, text, sheet, kept)).toEqual(layout.split(text));
});

it('knows where entries begin that were added at the end', () => {
  const sheet = layout.split(file(entry('a'), entry('b')));
  const [, kept] = written(sheet, { a: { summary: 'One\ntwo\n' } });
  const more = [...kept, { ref: 'c', text: entry('c'), line: 0 }, { ref: 'd', text: entry('d'), line: 0 }];
  const text = layout.join({ ...sheet, entries: more });
  expect(recut(layout, text, sheet, more)).toEqual(layout.split(text));
});

it('leaves to a cut what may be cut in another way', () => {
  const twice = layout.split(file(entry('a'), entry('a')));
  const [second = ''] = twice.entries.slice(1).map(({ ref }) => ref);
  const [text, kept] = written(twice, { [second]: { status: 'running' } });
  expect(recut(layout, text, twice, kept)).toBeUndefined();

  const linked = layout.split(file(entry('a', '    slug: &s x\n'), entry('b', '    slug: *s\n')));
  const [other, changed] = written(linked, { b: { status: 'running' } });
  expect(recut(layout, other, linked, changed)).toBeUndefined();

  const one = layout.split(file(entry('a'), entry('b')));
  const [first] = one.entries;
  expect(
    recut(layout, layout.join({ ...one, entries: first ? [first] : [] }), one, one.entries.slice(0, 1)),
  ).toBe(undefined);
  expect(recut(layout, `${file(entry('a'), entry('b'))}# more\n`, one, one.entries)).toBeUndefined();
});

it('is never wrong, whatever is written into an entry', () => {
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('\n', ' ', '-', '#', 'a', ':', '&', '|', '"') }),
  );
  const change = fc.record({ at: fc.nat(3), key: fc.constantFrom('summary', 'slug', 'retry_note'), value });
  const tail = fc.constantFrom('', '\n', '# end\n', 'other: 1\n');
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4 }), tail, (changes, end) => {
      const sheet = layout.split(
        file(entry('a'), entry('b', '\n\n'), entry('c', '  # c\n'), entry('d')) + end,
      );
      const set: Record<string, Record<string, string>> = {};
      for (const one of changes) {
        const ref = sheet.entries[one.at]?.ref ?? '';
        set[ref] = { ...set[ref], [one.key]: one.value };
      }
      const [text, kept] = written(sheet, set);
      const found = recut(layout, text, sheet, kept);
      return found === undefined || same(found, layout.split(text));
    }),
  );
  expect(same({ a: 1 }, { a: 2 })).toBe(false);
});

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
