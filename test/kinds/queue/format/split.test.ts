import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml, stringify } from 'yaml';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import { record, runs } from './arbitraries.ts';
import { fixture, fixtures } from './support.ts';

const refs = (text: string): string[] => queue.split(text).entries.map((entry) => entry.ref);
const lines = (...parts: string[]): string => parts.join('\n');

describe('split and join', () => {
  it.each(fixtures)('gives back $name byte for byte', ({ text }) => {
    expect(queue.join(queue.split(text))).toBe(text);
  });

  it('gives back any text', () => {
    const piece = fc.constantFrom(
      'tasks:',
      'tasks: []',
      ' []',
      '\n',
      '\r\n',
      '  ',
      ' ',
      '- ',
      '-',
      'name: a',
      '  - name: b',
      '# c',
      '\t',
      '---',
      '...',
      'content: |',
      '|+',
      '"',
      "'",
      '[',
      '{',
      '\uFEFF',
      'other: 1',
      'null',
      '&a',
      '*a',
      ':',
      '日本',
      '    status: x',
    );
    const yamlish = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));
    const listish = fc.array(piece, { maxLength: 30 }).map((parts) => `tasks:\n${parts.join('')}`);
    fc.assert(
      fc.property(fc.oneof(yamlish, listish, fc.string({ unit: 'binary' })), (text) => {
        const sheet = queue.split(text);
        expect(queue.join(sheet)).toBe(text);
        expect(new Set(sheet.entries.map((entry) => entry.ref)).size).toBe(sheet.entries.length);
        for (const entry of sheet.entries) {
          const below = text
            .split('\n')
            .slice(entry.line - 1)
            .join('\n');
          expect(below.slice((entry.column ?? 1) - 1).startsWith(entry.text)).toBe(true);
          queue.parse(entry);
        }
      }),
      runs(2000),
    );
  });

  it('cuts what YAML says are the items, however they are written', () => {
    const style = fc.record({
      indentSeq: fc.boolean(),
      indent: fc.integer({ min: 1, max: 4 }),
      lineWidth: fc.constantFrom(0, 20, 80),
      defaultStringType: fc.constantFrom(
        'PLAIN',
        'QUOTE_DOUBLE',
        'QUOTE_SINGLE',
        'BLOCK_LITERAL',
        'BLOCK_FOLDED',
      ),
    } as const);
    const file = fc.record({
      before: fc.boolean(),
      after: fc.boolean(),
      crlf: fc.boolean(),
      bom: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 4 }),
        style,
        file,
        (records, options, { before, after, crlf, bom }) => {
          const value = {
            ...(before && { version: 'a\n- b' }),
            tasks: records,
            ...(after && { other: ['x', { tasks: 1 }] }),
          };
          let text = stringify(value, { ...options, aliasDuplicateObjects: false });
          if (crlf && !text.includes('\r')) text = text.replaceAll('\n', '\r\n');
          if (bom) text = `\uFEFF${text}`;
          const oracle = parseYaml(text) as { tasks: unknown[] };
          const sheet = queue.split(text);
          expect(sheet.wrong).toBeUndefined();
          expect(queue.join(sheet)).toBe(text);
          expect(sheet.entries.map((entry) => parseYaml(entry.text) as unknown)).toEqual(
            oracle.tasks.map((task) => [task]),
          );
          const names = (oracle.tasks as { name: string }[]).map((task) => task.name);
          const unique = names.filter((name, index) => name !== '' && names.indexOf(name) === index);
          const expected = unique.map(
            (name) => (name.startsWith('?') ? '?' : '') + name.replaceAll('#', '##'),
          );
          expect(sheet.entries.map((entry) => entry.ref)).toEqual(expect.arrayContaining(expected));
        },
      ),
      runs(300),
    );
  });

  it('tells entries of the same name apart, and names with marks in them', () => {
    expect(refs(fixture('same-names'))).toEqual(['twin', 'twin#2', 'twin##2', '__proto__', '設定']);
  });

  it.each([
    ['plain', 'name: a b # c', 'a b'],
    ['single quotes', "name: 'it''s'  # c", "it's"],
    ['double quotes', String.raw`name: "a\tbé"`, 'a\tbé'],
    ['escapes that only YAML has', String.raw`name: "\x41\e"`, 'A\u001B'],
    ['a folded one', 'name: >-\n      a\n      b', 'a b'],
    ['one over two lines', 'name: a\n      b', 'a b'],
    ['a quoted key', '"name": a', 'a'],
    ['a name in a flow mapping', '{ status: x, name: a }', 'a'],
    [
      'not the name of something inside',
      'content: |\n      name: no\n    sub:\n      name: no\n    name: yes!',
      'yes!',
    ],
    ['none', 'status: pending', '?1'],
    ['null', 'name: ~', '?1'],
    ['an empty one', 'name: ""', '?1'],
    ['one that begins like a place', 'name: "?1"', '??1'],
  ])('finds the name: %s', (_what, item, ref) => {
    expect(refs(`tasks:\n  - ${item}\n`)).toEqual([ref]);
    expect(refs(`tasks:\n  -\n    ${item}\n`)).toEqual([ref]);
  });

  it('gives comments to the item they stand above, deeper ones to the item they stand in', () => {
    const sheet = queue.split(
      lines(
        'tasks:',
        '  # about the list',
        '',
        '  # about a',
        '  - name: a',
        '    # in a',
        '',
        '  # b',
        '  # b too',
        '  - name: b',
        '    # in b',
        '',
        '# end',
        '',
      ),
    );
    expect(sheet.head).toBe('tasks:\n  # about the list\n\n');
    expect(sheet.entries.map((entry) => [entry.line, entry.text])).toEqual([
      [4, '  # about a\n  - name: a\n    # in a\n\n'],
      [8, '  # b\n  # b too\n  - name: b\n    # in b\n'],
    ]);
    expect(sheet.tail).toBe('\n# end\n');
  });

  it.each([
    [undefined, 'tasks:\n  - name: a\n'],
    ['', 'tasks:\n  - name: a\n'],
    ['\uFEFF', '\uFEFFtasks:\n  - name: a\n'],
    ['# mine', '# mine\ntasks:\n  - name: a\n'],
    ['tasks: []', 'tasks:\n  - name: a\n'],
    ['tasks: null # c\r\nother: 1\r\n', 'tasks: # c\r\n  - name: a\r\nother: 1\r\n'],
    ['tasks:', 'tasks:\n  - name: a\n'],
    ['tasks:\n\n# end\n', 'tasks:\n  - name: a\n\n# end\n'],
    ['tasks:\n- name: b', 'tasks:\n- name: b\n- name: a\n'],
    ['tasks:\n    - name: b\n# end', 'tasks:\n    - name: b\n    - name: a\n# end'],
  ])('puts a new entry into %j', (text, result) => {
    const sheet = queue.split(text);
    const added = { ref: 'a', text: queue.render({ name: 'a' }, sheet), line: 0 };
    expect(queue.join({ ...sheet, entries: [...sheet.entries, added] })).toBe(result);
  });

  it('says that a list is empty when its last item goes', () => {
    const sheet = queue.split('# c\ntasks: # d\n  - name: a\nx: 1\n');
    expect(queue.join({ ...sheet, entries: [] })).toBe('# c\ntasks: [] # d\nx: 1\n');
  });

  it.each([
    ['without the key', 'task:\n  - name: a\n', 1, 1, 'no key "tasks"'],
    ['a scalar', 'hello', 1, 1, 'does not hold a list'],
    ['not a list', 'tasks: 1\n', 1, 8, 'is not a list'],
    ['two lists', 'tasks:\n  - name: a\ntasks:\n  - name: b\n', 3, 1, 'twice'],
    ['two documents', 'tasks:\n  - name: a\n---\ntasks:\n  - name: b\n', 3, 1, 'more than one document'],
    ['an item that stands too far left', 'tasks:\n    - name: a\n  - name: b\n', 3, 1, ''],
    ['a key that hides items', 'tasks:\n  - name: a\nsee: this\n  - name: b\n', 3, 6, ''],
    ['deep enough to end the process', '['.repeat(100_000), 1, 102, 'Too many levels'],
  ])('refuses a file %s and says where', (_what, text, line, column, message) => {
    const { wrong } = queue.split(text);
    expect(wrong).toMatchObject({ line, column });
    expect(wrong?.message).toMatch(/^Invalid tasks\.yaml: /);
    expect(wrong?.message).toContain(message);
    expect(wrong?.fix).not.toBe('');
  });

  it('keeps a slip inside an item to that item', () => {
    expect(refs('tasks:\n  - name: a\noops\n  - name: b\n')).toEqual(['a', 'b']);
  });

  it.each([
    '"tasks":\n  - name: a\n',
    'tasks: &list\n  - name: a\n',
    '"my key": 1\ntasks :\n- name: a\n"more": 2\n',
  ])('asks the parser about %j', (text) => {
    expect(refs(text)).toEqual(['a']);
    expect(queue.join(queue.split(text))).toBe(text);
  });

  it('cuts 100,000 entries in well under a second', () => {
    const body = 'x'.repeat(200);
    const item = (n: number): string =>
      `  - name: task-${n}\n    status: pending\n    content: |\n      # Title\n      - ${body}\n    created_at: "2026"\n    started_at: null\n    completed_at: null\n`;
    const text = `tasks:\n${Array.from({ length: 100_000 }, (_, n) => item(n)).join('')}`;
    const before = process.cpuUsage();
    expect(queue.split(text).entries.length).toBe(100_000);
    // Processor time, which a busy machine does not stretch.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500);
  });
});
