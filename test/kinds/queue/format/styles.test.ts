import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import type { Sheet } from '../../../../src/layout/layout.ts';
import type { Fields, Json } from '../../../../src/task/json.ts';
import { json, record, runs } from './arbitraries.ts';
import { fixture, pending } from './support.ts';

const tasksIn = (text: string): unknown[] => (parseYaml(text) as { tasks: unknown[] | null }).tasks ?? [];
const fieldsIn = (sheet: Sheet): unknown[] =>
  sheet.entries.map((entry) => {
    const parsed = queue.parse(entry);
    return 'fields' in parsed ? parsed.fields : parsed.wrong;
  });
const plain = `status: pending, content: x, created_at: t, started_at: null, completed_at: null`;

function patched(sheet: Sheet, at: number, changes: Record<string, Json | undefined>): string {
  const entries = sheet.entries.map((entry, index) => {
    const text = index === at ? queue.patch(entry, changes) : entry.text;
    if (typeof text !== 'string') throw new Error(text.message);
    return { ...entry, text };
  });
  return queue.join({ ...sheet, entries });
}

function withNew(sheet: Sheet, fields: Fields): string {
  const made = { ref: 'new', text: queue.render(fields, sheet), line: 0 };
  return queue.join({ ...sheet, entries: [...sheet.entries, made] });
}

describe('a file in another style', () => {
  it.each([
    ['JSON', fixture('in-brackets')],
    ['JSON with tabs', JSON.stringify({ tasks: [{ ...pending }, { ...pending, name: 'b' }] }, null, '\t')],
    ['brackets', `tasks: [ {name: a, ${plain}}, {name: b, ${plain}}, ]\nother: 1\n`],
    [
      'brackets over lines',
      `tasks: [ # all\n  {name: a, ${plain}}, # first\n  # second\n  {name: b, ${plain}}\n  ]`,
    ],
    ['a comma in front', `tasks: [{name: a, ${plain}}\n  , {name: b, ${plain}}]\n`],
    ['a document marker and an end', `%YAML 1.2\n---\ntasks:\n  - {name: a, ${plain}}\n...\n# end\n`],
    ['a byte order mark and CRLF', `\uFEFF{"tasks": [\r\n  {name: a, ${plain}}\r\n]}\r\n`],
    ['quoted keys', `"tasks":\n  - "name": 'a'\n    ${plain.replaceAll(', ', '\n    ')}\n`],
    ['an anchor on an item', `tasks: [&x {name: a, ${plain}}, {name: b, ${plain}}]\n`],
  ])('reads %s, writes it back, and changes one record only', (_what, text) => {
    const sheet = queue.split(text);
    expect(sheet.wrong).toBeUndefined();
    expect(queue.join(sheet)).toBe(text);
    expect(fieldsIn(sheet)).toEqual(tasksIn(text));
    const now = patched(sheet, 0, { status: 'running', started_at: 'now', owner_pid: 7, mine: { a: [1] } });
    const [first, ...rest] = tasksIn(text) as Fields[];
    const expected = { ...first, status: 'running', started_at: 'now', owner_pid: 7, mine: { a: [1] } };
    expect(tasksIn(now)).toEqual([expected, ...rest]);
    for (const entry of sheet.entries.slice(1)) expect(now).toContain(entry.text);
    expect(now.startsWith(sheet.head) && now.endsWith(sheet.tail)).toBe(true);
  });

  it('patches a mapping in braces where it stands', () => {
    const sheet = queue.split(
      `tasks: [{name: a, status: pending , started_at: null}, # c\n {"name": "b"}]\n`,
    );
    expect(patched(sheet, 0, { status: 'running', started_at: undefined, branch: 'x, y' })).toBe(
      `tasks: [{name: a, status: running, branch: "x, y"}, # c\n {"name": "b"}]\n`,
    );
    expect(patched(sheet, 1, { status: 'pending', name: undefined })).toBe(
      `tasks: [{name: a, status: pending , started_at: null}, # c\n {"status": "pending"}]\n`,
    );
  });

  it.each([
    ['{"tasks": []}', '{"tasks": [{ "name": "n" }]}'],
    ['{"tasks": null}\n', '{"tasks": [{ "name": "n" }]}\n'],
    ['"tasks": ~ # none\n', '"tasks": [{ "name": "n" }] # none\n'],
    ['tasks: [{name: a}]', 'tasks: [{name: a}, { "name": "n" }]'],
    ['{"tasks": [\n  {"name": "a"}\n]}', '{"tasks": [\n  {"name": "a"},\n  { "name": "n" }\n]}'],
    ['tasks: [{name: a},\n {name: b}]', 'tasks: [{name: a},\n {name: b},\n { "name": "n" }]'],
  ])('adds to %j', (text, result) => {
    expect(withNew(queue.split(text), { name: 'n' })).toBe(result);
  });

  it.each([
    [0, 'tasks: [ {name: b}, {name: c} ]\n'],
    [1, 'tasks: [ {name: a}, {name: c} ]\n'],
    [2, 'tasks: [ {name: a}, {name: b} ]\n'],
  ])('takes out item %i and its comma', (at, result) => {
    const sheet = queue.split('tasks: [ {name: a}, {name: b}, {name: c} ]\n');
    const data = tasksIn(queue.join({ ...sheet, entries: sheet.entries.toSpliced(at, 1) }));
    expect(data).toEqual(tasksIn(result));
    expect(queue.join({ ...sheet, entries: [] })).toBe('tasks: [  ]\n');
  });

  it('names the line and column of what is wrong in it', () => {
    const text = `{"tasks": [\n  {"name": "a", "status": "nope"}, 5]}`;
    expect(queue.split(text).entries.map((entry) => queue.parse(entry))).toMatchObject([
      { wrong: { line: 2, message: expect.stringContaining('"nope"') } },
      { wrong: { line: 2, message: expect.stringContaining('an item with keys') } },
    ]);
  });

  it('changes, adds and removes in any list in brackets as asked, and nothing else', () => {
    const style = fc.constantFrom<(records: readonly Fields[]) => string>(
      (records) => JSON.stringify({ tasks: records }),
      (records) => JSON.stringify({ v: 1, tasks: records, z: [] }, null, 2),
      (records) => `tasks: ${JSON.stringify(records)} # end\nother: 1\n`,
    );
    const key = fc.constantFrom('status', 'failure', 'mine', 'branch', 'started_at');
    const changes = fc.dictionary(key, fc.option(json, { nil: undefined }), { noNullPrototype: true });
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 3 }),
        style,
        fc.nat(2),
        changes,
        record,
        (records, write, nth, asked, extra) => {
          const text = write(records);
          const sheet = queue.split(text);
          expect(queue.join(sheet)).toBe(text);
          const at = nth % records.length;
          const after = tasksIn(patched(sheet, at, asked));
          const wanted = Object.entries({ ...records[at], ...asked }).filter(
            ([, value]) => value !== undefined,
          );
          expect(after).toEqual(records.with(at, Object.fromEntries(wanted) as Fields));
          expect(tasksIn(withNew(sheet, extra))).toEqual([...records, extra]);
          const less = queue.join({ ...sheet, entries: sheet.entries.toSpliced(at, 1) });
          expect(tasksIn(less)).toEqual(records.toSpliced(at, 1));
        },
      ),
      runs(300),
    );
  });
});

describe('anchors that records share', () => {
  const text = [
    'tasks:',
    '  - name: a',
    '    status: &s pending',
    '    content: &c "do it"',
    '    created_at: &t x',
    '    started_at: null',
    '    completed_at: null',
    '  - name: b',
    '    status: *s',
    '    content: *c',
    '    created_at: *t',
    '    started_at: null',
    '    completed_at: null',
    '',
  ].join('\n');

  it('are read across records', () => {
    expect(fieldsIn(queue.split(text))).toEqual(tasksIn(text));
    expect(fieldsIn(queue.split(text.replaceAll('*c', '*nobody')))[1]).toMatchObject({
      line: 10,
      message: expect.stringContaining('*nobody'.slice(1)),
    });
  });

  it('keep docket from changing what others would read', () => {
    const sheet = queue.split(text);
    const [a, b] = sheet.entries;
    expect(queue.patch(a!, { branch: 'x' })).toContain('branch: x');
    expect(queue.patch(a!, { status: 'running' })).toMatchObject({
      message: expect.stringContaining('&s'),
      fix: expect.stringContaining('*s'),
      line: 2,
    });
    expect(tasksIn(patched(sheet, 1, { status: 'running' }))[1]).toMatchObject({ status: 'running' });
    expect(patched(sheet, 1, { status: 'running' })).toContain(b!.text.split('\n')[2]);
  });
});
