import fc from 'fast-check';
import type { Fields, Json } from '../../../../src/task/json.ts';

/** Many cases, but never more than some seconds of them: the machine may be busy. */
export function runs(numRuns: number): { numRuns: number; interruptAfterTimeLimit: number } {
  return { numRuns, interruptAfterTimeLimit: 5000 };
}

/** Text that breaks naive YAML: indicators, quotes, line ends, words with a meaning, other scripts, odd characters. */
export const nastyText = fc.oneof(
  fc.constantFrom(
    '- a',
    '# a',
    'a: b',
    'a #b',
    'true',
    'No',
    '~',
    'null',
    '12',
    '1e3',
    '0x1f',
    '.inf',
    '- ',
    '---',
    '...',
    '"',
    "'",
    "it's",
    '"q"',
    '|',
    '>-',
    '&a',
    '*a',
    '!t',
    '%',
    '@',
    '`',
    '{a: 1}',
    '[1]',
    '?',
    ': ',
    'x:',
    '<<',
    '2026-02-01',
    '日本語',
    'a\nb',
    'a\r\nb',
    '\n',
    '\t',
    ' lead',
    'trail ',
    '\u2028',
    '\u0085',
    '\uFEFF',
    '\\',
    '\\n',
    '__proto__',
    'constructor',
    '$said',
    '#',
    '##2',
    '?1',
    'a\u0000b',
    '\ud83d\ude00',
    '=',
    'y',
    '.takt/tasks/x',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
export const nonEmpty = nastyText.filter((text) => text !== '');

/** Keys that no version of the format knows. */
const otherKey = nastyText.filter((key) => key !== '__proto__' && !known.has(key));

export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    nastyText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(otherKeyIn(), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

function otherKeyIn(): fc.Arbitrary<string> {
  return nastyText.filter((key) => key !== '__proto__');
}

const time = fc.oneof(
  fc
    .date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-02-01',
    '2026-02-30T00:00:00Z',
    '2026-02-01T10:00:00+09:00',
    '2026-02-01 10:00:00',
    'yesterday',
  ),
  nonEmpty,
);
const slug = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,9}[a-z0-9])?$/);
const count = fc.integer({ min: 1, max: 1_000_000 });

const failure = fc.record(
  { error: nonEmpty, movement: nastyText, step: nastyText, last_message: nastyText, retryable: fc.boolean() },
  { requiredKeys: ['error'], noNullPrototype: true },
);
const nobody = fc.constantFrom({ owner_pid: null }, {});
const notSo = fc.constantFrom({}, {}, { failure: null });
const over = fc.record({ started_at: time, completed_at: time }, { noNullPrototype: true });
const merged = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<Record<string, Json>> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Record<string, Json>);
const status = (word: string): fc.Arbitrary<object> => fc.constant({ status: word });
const null_ = fc.constant({ started_at: null, completed_at: null });

const state = fc.oneof(
  merged(status('pending'), null_, nobody, notSo),
  merged(
    status('running'),
    time.map((started_at) => ({ started_at, completed_at: null })),
    fc.oneof(
      nobody,
      count.map((owner_pid) => ({ owner_pid })),
    ),
    notSo,
  ),
  merged(status('completed'), over, nobody, notSo),
  merged(
    status('failed'),
    over,
    nobody,
    failure.map((failure) => ({ failure })),
  ),
  merged(
    status('exceeded'),
    over,
    nobody,
    notSo,
    fc.constantFrom({}, exceeded('steps'), exceeded('movements')),
  ),
  merged(
    status('pr_failed'),
    over,
    nobody,
    fc.oneof(
      notSo,
      failure.map((failure) => ({ failure })),
    ),
  ),
);

function exceeded(word: string): object {
  return { [`exceeded_max_${word}`]: 60, exceeded_current_iteration: 30 };
}

const source = fc.oneof(
  nonEmpty.map((content) => ({ content })),
  nonEmpty.map((content_file) => ({ content_file })),
  slug.map((name) => ({ task_dir: `.takt/tasks/${name}` })),
);
const settings = fc.record(
  {
    slug: nastyText,
    summary: nastyText,
    worktree: fc.oneof(fc.boolean(), nastyText),
    branch: nastyText,
    auto_pr: fc.boolean(),
    issue: count,
    start_movement: nastyText,
    retry_note: nastyText,
    priority: fc.oneof(fc.integer({ min: -200, max: 200 }), nastyText),
    run_slug: nastyText,
    pr_url: nastyText,
  },
  { requiredKeys: [], noNullPrototype: true },
);
const workflow = fc.oneof(
  fc.constant({}),
  nastyText.map((piece) => ({ piece })),
  nastyText.map((workflow) => ({ workflow })),
);
const base = fc.record({ name: nonEmpty, created_at: time }, { noNullPrototype: true });

const known = new Set([
  'name',
  'status',
  'piece',
  'workflow',
  'content',
  'content_file',
  'task_dir',
  'created_at',
  'started_at',
  'completed_at',
  'owner_pid',
  'failure',
  'slug',
  'summary',
  'worktree',
  'branch',
  'priority',
  'source',
  'issue',
]);

/** Records that are valid by every rule of the format, in any order of keys. */
export const record: fc.Arbitrary<Fields> = merged(
  base,
  state,
  source,
  settings,
  workflow,
  fc.dictionary(otherKey, json, { maxKeys: 2, noNullPrototype: true }),
).chain((fields) =>
  fc
    .shuffledSubarray(Object.entries(fields), { minLength: Object.keys(fields).length })
    .map(Object.fromEntries),
);
