import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml, stringify } from 'yaml';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import type { Json } from '../../../../src/task/json.ts';
import { json, record, runs } from './arbitraries.ts';
import { entry, fixture } from './support.ts';

type Changes = Record<string, Json | undefined>;
/** The patched text; an entry that cannot be patched is a failure here. */
function patched(text: string, changes: Changes): string {
  const result = queue.patch(entry(text), changes);
  if (typeof result !== 'string') throw new Error(result.message);
  return result;
}
const applied = (fields: object, changes: Changes): object =>
  Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined));

describe('patch', () => {
  it('changes what it is asked to change and nothing else, byte for byte', () => {
    const text = queue.split(fixture('by-hand')).entries;
    expect(
      queue.patch(text[0]!, { status: 'running', started_at: 'now', owner_pid: 7, completed_at: null }),
    ).toBe(
      text[0]!.text
        .replace('status:   pending', 'status: running')
        .replace('started_at:', 'started_at: now')
        .replace('zeta: kept', 'owner_pid: 7\r\n      zeta: kept')
        .replace(/( {6}owner_pid: 7\r\n)( {6}zeta: kept {2}# unknown keys too\r\n)/, '$1$2'),
    );
    const patched = queue.patch(text[1]!, { status: 'pending', failure: undefined, started_at: null });
    expect(patched).toBe(
      text[1]!.text
        .replace('failed', 'pending')
        .replace('2026-02-01T00:00:01Z', 'null')
        .replace('    failure: # why\r\n      error: boom # loud\r\n', ''),
    );
  });

  it.each<[string, string, Changes, string]>([
    ['a value', '- a: 1 # c\n  b: 2\n', { a: 'x' }, '- a: x # c\n  b: 2\n'],
    ['an empty value', '- a: # c\n  b:\n', { a: 1, b: 2 }, '- a: 1 # c\n  b: 2\n'],
    ['a text block', '- a: |+ # c\n    x\n\n  b: 2\n', { a: 'z' }, '- a: z # c\n\n  b: 2\n'],
    [
      'a mapping by a value',
      '- f: # why\n    e: 1 # z\n    # y\n  b: 2\n',
      { f: null },
      '- f: null # why # z\n    # y\n  b: 2\n',
    ],
    ['a value by a mapping', '- f: null # c\n  b: 2', { f: { e: 'x' } }, '- f: # c\n    e: x\n  b: 2'],
    ['the last value', '- f: null', { f: { e: 'x' } }, '- f:\n    e: x'],
    [
      'a new key',
      '  # c\n  - name: a\n    slug: s\n',
      { status: 'pending' },
      '  # c\n  - name: a\n    status: pending\n    slug: s\n',
    ],
    ['a new key at the end', '- name: a', { mine: 1, more: [] }, '- name: a\n  mine: 1\n  more: []'],
    [
      'a new key behind a text block',
      '- content: |+\n    x\n\n',
      { mine: 1 },
      '- content: |+\n    x\n\n  mine: 1\n',
    ],
    ['a key taken out', '- a: 1\n  # c\n  b: 2 # d\n  c: 3\n', { b: undefined }, '- a: 1\n  # c\n  c: 3\n'],
    ['the first taken out', '-   a: 1 # c\n    b: 2\n', { a: undefined }, '-   b: 2\n'],
    ['the first with a comment behind', '- a: 1\n  # c\n  b: 2\n', { a: undefined }, '-\n  # c\n  b: 2\n'],
    ['the only one', '- a: 1\n', { a: undefined }, '- {}\n'],
    ['what is so already', '- a:   "x"\n', { a: 'x', b: undefined }, '- a:   "x"\n'],
    ['line ends', '- a: 1\r\n', { b: { c: 2 } }, '- a: 1\r\n  b:\r\n    c: 2\r\n'],
    ['a mapping in braces', '# c\n- {a: 1, b: "x"}\n', { a: 2 }, '# c\n- a: 2\n  b: x\n'],
    ['an anchor that is used elsewhere', '- a: &x 1\n  b: *x\n', { a: 2 }, '- a: 2\n  b: 1\n'],
    ['broken YAML', '- a: "x\n', { a: 2 }, '- a: "x\n'],
  ])('sets %s', (_what, text, changes, result) => {
    expect(queue.patch(entry(text), changes)).toBe(result);
  });

  it('gives what was asked for, whatever the entry looks like', () => {
    const style = fc.record({
      lineWidth: fc.constantFrom(0, 20),
      indentSeq: fc.boolean(),
      defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
      flow: fc.constantFrom(false, false, true),
    } as const);
    const key = fc.constantFrom(
      'status',
      'failure',
      'owner_pid',
      'content',
      'mine',
      'summary',
      'name',
      'started_at',
    );
    const changes = fc.dictionary(key, fc.option(json, { nil: undefined }), { noNullPrototype: true });
    fc.assert(
      fc.property(record, style, changes, (fields, options, asked) => {
        const { flow, ...rest } = options;
        const style = { ...rest, aliasDuplicateObjects: false };
        const text = flow ? `- ${JSON.stringify(fields)}\n` : stringify([fields], style);
        const result = patched(text, asked);
        expect(parseYaml(result)).toEqual([applied(parseYaml(text)[0] as object, asked)]);
      }),
      runs(500),
    );
  });

  it('leaves the lines of other keys as they are', () => {
    const value = fc.constantFrom(
      '1',
      '"a # b"',
      "'x'",
      'a b',
      '|\n    - x\n    # y',
      '>-\n    x\n\n    y',
      '[1, 2]',
      '',
      '\n    k: v',
      '"a\n    b"',
    );
    const line = fc.tuple(value, fc.constantFrom('', ' # c', '\n  # d', '\n\n  # e'));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 2, maxLength: 6 }),
        fc.nat(5),
        fc.option(json, { nil: undefined }),
        (lines, at, to) => {
          const blocks = lines.map(
            ([text, comment], n) =>
              `k${n}: ${text}${/[\n>|]/.test(text) ? comment.replace(' # c', '') : comment}\n`,
          );
          const index = at % blocks.length;
          const text = `- ${blocks.join('  ')}`;
          const before = parseYaml(text)[0] as object;
          const result = patched(text, { [`k${index}`]: to });
          expect(parseYaml(result)).toEqual([applied(before, { [`k${index}`]: to })]);
          for (const block of blocks.toSpliced(index, 1)) expect(result).toContain(block);
          const comments = to === undefined ? [] : (text.match(/# [cde]$/gm) ?? []);
          for (const comment of comments) expect(result).toContain(comment);
        },
      ),
      runs(1000),
    );
  });
});
