import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/schema/check.ts';
import { publishedSchema } from '../../src/schema/json-schema.ts';
import { readYaml } from '../../src/schema/read.ts';
import {
  described,
  hints,
  keys,
  list,
  maybe,
  openKeys,
  otherwise,
  table,
  text,
  time,
  unless,
  whole,
} from '../../src/schema/schemas.ts';

const step = v.pipe(
  openKeys({ name: described(text, 'What it is called.'), kind: maybe(v.picklist(['work', 'review'])) }),
  hints({ id: 'step' }),
);
const schema = keys({
  id: v.pipe(
    unless(text, (id) => (id.includes(' ') ? 'holds a space' : undefined), 'Use one word.'),
    hints({ line: 'id: T-1' }),
  ),
  at: maybe(time),
  tries: otherwise(whole(0, 3), 1, 'How often.'),
  steps: maybe(list(step, 2)),
  limits: maybe(table(v.picklist(['day', 'task']), whole(1))),
  who: maybe(v.union([text, keys({ agent: text })])),
  gate: maybe(
    v.variant('kind', [keys({ kind: v.literal('human') }), keys({ kind: v.literal('auto'), run: text })]),
  ),
});

function said(value: unknown): string[] {
  const checked = check(schema, value);
  return 'value' in checked ? [] : checked.mistakes.map(({ message, fix }) => `${message}. ${fix}`);
}

describe('a value', () => {
  it.each([
    [{}, 'id is required. Add `id: T-1`.'],
    [{ id: '' }, 'id is empty. Use one word.'],
    [{ id: 'a b' }, 'id holds a space. Use one word.'],
    [{ id: 'a', at: 'noon' }, 'at is no time. Write it like 2026-02-01T10:00:00Z.'],
    [{ id: 'a', tries: 9 }, 'tries must be a whole number from 0 to 3. Write a whole number from 0 to 3.'],
    [{ id: 'a', steps: {} }, 'steps must be a list. Write a list, such as ["a"].'],
    [{ id: 'a', steps: [{}, {}, {}] }, 'steps[0].name is required. Give it a text.'],
    [
      { id: 'a', steps: [{ name: 'x', kind: 'wrok' }] },
      'steps[0].kind "wrok" is not one of work, review. Write one of work, review.',
    ],
    [{ id: 'a', steps: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] }, 'steps has more than 2 items. Write'],
    [{ id: 'a', limits: { dya: 3 } }, 'unknown key "limits.dya". Did you mean "day"?'],
    [{ id: 'a', who: { agent: 'x', __proto__x: 1 } }, 'unknown key "who.__proto__x". Allowed here: agent.'],
    [{ id: 'a', limits: [] }, 'limits must be keys with values. Write keys, each with its value.'],
    [{ id: 'a', who: 3 }, 'who must be a text or keys with values. Write a text or keys with values.'],
    [{ id: 'a', who: { agnet: 'x' } }, 'who.agent is required. Give it a text.'],
    [{ id: 'a', gate: { kind: 'auot' } }, 'gate.kind "auot" is not one of human, auto. Write one of'],
    [{ id: 'a', gate: { kind: 'auto' } }, 'gate.run is required. Give it a text.'],
    [{ id: 'a', tires: 1 }, 'unknown key "tires". Did you mean "tries"?'],
    [{ id: 'a', x: 1, y: 1 }, 'unknown key "x". Allowed here: id, at, tries, steps, limits, who, gate.'],
    [[], 'it must be keys with values. Write keys, each with its value.'],
  ])('%j is wrong: %s', (value, message) => {
    expect(said(value)[0]).toContain(message);
  });

  it('is told all its mistakes at once', () => {
    expect(said({ x: 1, y: 1, steps: [{ name: 3 }], who: { agnet: 'x' } })).toEqual([
      'id is required. Add `id: T-1`.',
      'steps[0].name must be a text. Put it in quotes: "3".',
      'who.agent is required. Give it a text.',
      'unknown key "who.agnet". Did you mean "agent"?',
      expect.stringContaining('unknown key "x"'),
      expect.stringContaining('unknown key "y"'),
    ]);
  });

  it('has its defaults, and nothing for keys without a value', () => {
    const given = { id: 'a', steps: [{ name: 'x', own: null, kind: null }], at: null, limits: null };
    expect(check(schema, given)).toEqual({
      value: { id: 'a', tries: 1, steps: [{ name: 'x', own: null }] },
    });
  });
});

it('a file is told where each mistake is, in the order of its lines', () => {
  const read = readYaml('# a file\ntires: 1\nsteps:\n  - name: x\n    kind: y\nwho: 3\n', schema);
  expect(
    'problems' in read && read.problems.map(({ message, line, column }) => [line, column, message]),
  ).toEqual([
    [2, 1, 'id is required'],
    [2, 1, 'unknown key "tires"'],
    [5, 11, 'steps[0].kind "y" is not one of work, review'],
    [6, 6, 'who must be a text or keys with values'],
  ]);
  expect(readYaml('id: [', schema)).toMatchObject({
    problems: [{ line: 1, fix: 'Fix line 1; docket validate checks the file.' }],
  });
  expect(readYaml('id: a', schema)).toEqual({ value: { id: 'a', tries: 1 }, raw: { id: 'a' } });
});

it('a schema is published with what is said about it', () => {
  const inner = keys({ steps: maybe(v.array(step)), tries: otherwise(whole(0), 1, 'How often.') });
  const published = { name: 'a', title: 'A', schema: inner };
  expect(publishedSchema(published)).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:docket:schema:a',
    title: 'A',
    type: 'object',
    properties: {
      steps: { type: 'array', items: { $ref: '#/$defs/step' } },
      tries: { type: 'integer', minimum: 0, default: 1, description: 'How often.' },
    },
    additionalProperties: false,
    $defs: {
      step: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, description: 'What it is called.' },
          kind: { enum: ['work', 'review'], type: 'string' },
        },
        required: ['name'],
      },
    },
  });
  expect(publishedSchema({ ...published, isOpen: true })).not.toHaveProperty('additionalProperties');
  expect(publishedSchema({ ...published, mayBeEmpty: true })).toMatchObject({
    properties: { tries: { default: 1, anyOf: [{ type: 'integer' }, { type: 'null' }] } },
  });
});
