import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import { record, runs } from './arbitraries.ts';
import { adopted, fieldsOf, fixtures } from './support.ts';

/** Opening a file that somebody else wrote must change none of its bytes. */
describe('a record that becomes a task', () => {
  const valid = fixtures.flatMap(({ name, text }) =>
    queue.split(text).entries.flatMap((entry) => {
      const parsed = queue.parse(entry);
      return 'fields' in parsed ? [{ name, ref: entry.ref, fields: parsed.fields }] : [];
    }),
  );

  it.each(valid)('is described as it was: $name $ref', ({ ref, fields }) => {
    const task = adopted(fields, ref);
    expect(queue.describe(task)).toEqual(fields);
    expect(queue.ref(task)).toBe(ref);
  });

  it('is described as it was, whatever it holds', () => {
    fc.assert(
      fc.property(record, (fields) => {
        const sheet = queue.split('');
        const text = queue.render(fields, sheet);
        const [entry] = queue.split(`tasks:\n${text}`).entries;
        expect(fieldsOf(text)).toEqual(fields);
        const task = adopted(fields, entry?.ref);
        expect(queue.describe(task)).toEqual(fields);
        expect(queue.ref(task)).toBe(entry?.ref);
      }),
      runs(1000),
    );
  });

  it('has an id that follows from the record', () => {
    const ids = valid
      .map(({ ref, fields }) => queue.adopt(fields, ref))
      .map((made) => ('id' in made ? made.id : ''));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
    const again = valid.map(({ ref, fields }) => queue.adopt(fields, ref));
    expect(again.map((made) => ('id' in made ? made.id : ''))).toEqual(ids);
  });

  it('has an id that sorts by time, and one without a readable time comes first', () => {
    const id = (created_at: string): string => adopted({ ...valid[0]!.fields, created_at }).id;
    const sorted = [
      'yesterday',
      '2026-02-01T00:00:00Z',
      '2026-02-01T00:00:00.001Z',
      '9999-01-01T00:00:00Z',
    ].map(id);
    expect(sorted.toSorted()).toEqual(sorted);
    expect(sorted[0]).toMatch(/^0{9}/);
  });
});
