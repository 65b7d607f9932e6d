import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import { scalar } from '../../../../src/schema/yaml/block.ts';
import { json, nastyText, runs } from './arbitraries.ts';

const fields = fc.dictionary(
  nastyText.filter((key) => key !== '__proto__'),
  json,
  { maxKeys: 5, noNullPrototype: true },
);

describe('render', () => {
  it('reads back as what it was, in any style', () => {
    const sheets = ['', 'tasks:\n- name: a\n', 'tasks:\r\n     - name: a\r\n', '# c\r\n'];
    fc.assert(
      fc.property(fields, fc.constantFrom(...sheets), (value, text) => {
        const sheet = queue.split(text);
        const rendered = queue.render(value, sheet);
        expect(parseYaml(rendered)).toEqual([value]);
        const file = queue.join({
          ...sheet,
          entries: [...sheet.entries, { ref: 'x', text: rendered, line: 0 }],
        });
        expect((parseYaml(file) as { tasks: unknown[] }).tasks.at(-1)).toEqual(value);
        expect(queue.split(file).entries.at(-1)?.text).toBe(rendered);
        const eol = text.includes('\r') ? '\r\n' : '\n';
        expect(file.split('\n').length).toBe(file.split(eol).length);
      }),
      runs(1000),
    );
  });

  it('looks as a person would write it', () => {
    const failure = { movement: 'plan', error: 'no: rule', seen: [1, { a: [] }, ['x']] };
    const sheet = queue.split('');
    expect(
      queue.render(
        { name: 'add-login', task_dir: '.takt/tasks/a', created_at: '2026', none: null, failure },
        sheet,
      ),
    ).toBe(
      [
        '  - name: add-login',
        '    task_dir: .takt/tasks/a',
        '    created_at: "2026"',
        '    none: null',
        '    failure:',
        '      movement: plan',
        '      error: "no: rule"',
        '      seen:',
        '        - 1',
        '        - a: []',
        '        - - x',
        '',
      ].join('\n'),
    );
  });

  it('quotes what older readers take for something else', () => {
    for (const word of [
      'yes',
      'Off',
      'y',
      'NULL',
      '~',
      '',
      '1_000',
      '0o7',
      '12:30:45',
      '2026-02-01',
      '.5',
      '.INF',
      'a: b',
    ])
      expect(scalar(word)).toMatch(/^"/);
    for (const word of ['default', 'feature/x-1', '日本語', 'two words', '.takt/x', 'v1.2'])
      expect(scalar(word)).toBe(word);
  });

  it('marks keys that are too long for a plain key', () => {
    const value = { ['k'.repeat(2000)]: 1, ['l'.repeat(2000)]: { a: 1 } };
    expect(parseYaml(queue.render(value, queue.split('')))).toEqual([value]);
  });
});
