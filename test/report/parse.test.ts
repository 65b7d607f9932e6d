import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReport, reportFrom } from '../../src/report/parse.ts';

const small = { status: 'success', summary: 'Done.' };
const json = JSON.stringify(small);
const full = {
  ...small,
  changes: [],
  evidence: [],
  risks: [],
  nextActions: [],
  questions: [],
  errors: [],
};

describe('a report is found', () => {
  test.each<[string, string]>([
    ['alone', json],
    ['alone, with a byte order mark', `\uFEFF${json}`],
    ['with blank lines around it', `\n\n ${json}\r\n\n`],
    ['in a fence', `I did it.\n\n\`\`\`json\n${JSON.stringify(small, undefined, 2)}\n\`\`\`\n`],
    ['in a fence without a language', `\`\`\`\n${json}\n\`\`\``],
    ['in a fence, with prose behind it', `\`\`\`json\n${json}\n\`\`\`\nTell me if you need more.`],
    ['in a sentence', `Here is the report: ${json} and that is all.`],
    ['behind code with braces', `function f() { if (a) { return "x{"; } }\n${json}`],
    ['behind an unclosed brace', `Use { or "{ to open it.\n${json}`],
    ['behind an object that is no report', `The config is {"a": {"b": 1}}.\n${json}`],
    ['before an object that is no report', `${json}\nThe config is {"a": 1}.`],
    ['as a JSON string', JSON.stringify(json)],
    ['as a JSON string of a JSON string', JSON.stringify(JSON.stringify(json))],
    ['as a JSON string in a sentence', `It says ${JSON.stringify(json)}, thus.`],
    ['as a JSON string with a fence in it', JSON.stringify(`Done.\n\`\`\`json\n${json}\n\`\`\``)],
    [
      'in the result of another tool',
      JSON.stringify({ type: 'result', is_error: false, result: `Ok. ${json}` }),
    ],
    ['as an object under a known key', JSON.stringify({ report: small })],
    ['with a wrapper that has a status of its own', JSON.stringify({ status: 'ok', result: small })],
    ['with its status in capitals', '{"status":"SUCCESS","summary":"Done."}'],
    ['with nulls for what is absent', '{"status":"success","summary":"Done.","risks":null,"artifacts":null}'],
  ])('%s', (_how, text) => {
    expect(parseReport(text)).toEqual({ report: full });
  });

  test('the last whole one counts', () => {
    const texts = [
      `{"status":"failed","summary":"first"} then ${json}`,
      `\`\`\`json\n{"status":"blocked","summary":"a"}\n\`\`\`\nLater:\n\`\`\`json\n${json}\n\`\`\``,
      `${json}\n{"status":"success","sum`,
      `${json} {"status":"done","summary":"not one of our words"}`,
    ];
    for (const text of texts) expect(parseReport(text)).toEqual({ report: full });
  });

  test('one inside another does not count', () => {
    const inner = { status: 'failed', summary: 'inner' };
    const text = JSON.stringify({ ...small, artifacts: { job: inner } });
    expect(parseReport(`So: ${text}`)).toMatchObject({ report: { status: 'success' } });
    expect(parseReport(`{"jobs": [${JSON.stringify(inner)}]}`)).toHaveProperty('problem');
  });

  test('every list in the forms that models write', () => {
    const said = {
      ...small,
      changes: ['a.ts: new', { path: 'b.ts', summary: 'gone' }, { file: 'c.ts' }],
      evidence: [
        'tests pass',
        { kind: 'file', ref: 'a.ts', note: null },
        { kind: 'command', ref: 'make', note: 'ok' },
      ],
      risks: 'only one',
      questions: [null, ' ', 'Which?'],
      artifacts: { branch: 'x', diffStat: null, more: [1, { a: true }] },
    };
    expect(reportFrom(said)).toEqual({
      report: {
        ...full,
        changes: ['a.ts: new', 'b.ts: gone', 'c.ts'],
        evidence: [
          { kind: 'text', ref: 'tests pass' },
          { kind: 'file', ref: 'a.ts' },
          { kind: 'command', ref: 'make', note: 'ok' },
        ],
        risks: ['only one'],
        questions: ['Which?'],
        artifacts: { branch: 'x', more: [1, { a: true }] },
      },
    });
  });

  test('whatever stands around it', () => {
    const prose = fc.string({
      unit: fc.constantFrom('{', '}', '"', '\\', '`', '\n', ' ', 'a', '[', ':', ','),
    });
    fc.assert(
      fc.property(prose, prose, fc.string({ minLength: 1 }), (before, after, word) => {
        const summary = `x${word}`;
        const text = `${before}\n\`\`\`json\n${JSON.stringify({ status: 'failed', summary })}\n\`\`\`\n${after}`;
        expect(parseReport(text)).toMatchObject({ report: { status: 'failed', summary: summary.trim() } });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('no report is guessed', () => {
  test.each<[string, string, string]>([
    ['an empty answer', ' \n', 'the answer is empty'],
    ['prose', 'All done, tests pass, status success.', 'the answer holds no JSON object'],
    ['a list', `[${json}]x`.slice(0, -1).replace(json, '1'), 'the answer holds no JSON object'],
    [
      'another object',
      'See {"ok": true}',
      'status is missing: it must be success, blocked or failed; summary is missing',
    ],
    ['no summary', '{"status":"success"}', 'summary is missing'],
    ['an empty summary', '{"status":"success","summary":"  "}', 'summary is empty'],
    [
      'another word',
      '{"status":"done","summary":"a"}',
      'status has a wrong value: it must be success, blocked or failed',
    ],
    ['a number', '{"status":"success","summary":7}', 'summary must be a text'],
    [
      'wrong evidence',
      '{"status":"success","summary":"a","evidence":[{"ref":"x"}]}',
      'evidence.0.kind is missing: it must be file, command, url or text',
    ],
    ['wrong artifacts', '{"status":"success","summary":"a","artifacts":[1]}', 'artifacts must be an object'],
    ['a comma too many', 'So:\n{"status":"success","summary":"a",}', 'the report is not valid JSON'],
    ['an answer that was cut', '{"status":"success","summary":"and th', 'the report is not valid JSON'],
  ])('%s', (_what, text, problem) => {
    expect(parseReport(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test.each([[undefined], [null], [7], [true], [[small]], [new Map()]])('from %j', (value) => {
    expect(reportFrom(value)).toHaveProperty('problem');
  });
});

describe('hostile texts', () => {
  const size = 5_000_000;
  const shapes: Record<string, string> = {
    'open braces': '{',
    'open objects': '{"',
    'nested objects': '{"a":',
    'nested reports': '{"status":[',
    'nested lists': '{"a":[',
    pairs: '{}',
    'small objects': '{"a":1}',
    quotes: '"',
    'strings with braces': '"{\\',
    'escaped objects': '\\"{\\"',
    backslashes: '\\',
    'open fences': '```json\n{\n',
    'braces and blanks': '{          ',
    'one report after the other': '{"status":"x","summary":1},',
  };
  test.each(Object.entries(shapes))('5 MB of %s', (_what, unit) => {
    const noise = unit.repeat(Math.ceil(size / unit.length));
    expect(parseReport(noise)).toHaveProperty('problem');
    expect(parseReport(`${noise}\n${json}`)).toEqual({ report: full });
    expect(parseReport(`{"status":"success","x":[${noise}`)).toHaveProperty('problem');
  });

  test('a deep report, and one with a prototype in it', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expect(parseReport(`{"status":"success","summary":"a","artifacts":${deep}}`)).toHaveProperty('problem');
    const text =
      '{"status":"success","summary":"a","__proto__":{"x":1},"artifacts":{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}}';
    const parsed = parseReport(text);
    expect(parsed).toMatchObject({ report: { summary: 'a' } });
    expect(({} as { x?: number }).x).toBeUndefined();
    expect('report' in parsed && (parsed.report as { x?: number }).x).toBeUndefined();
  });

  test('what is too long is cut, and says so', () => {
    const many = Array.from({ length: 500 }, (_, n) => `change ${n}`);
    const parsed = reportFrom({
      status: 'failed',
      summary: '💥'.repeat(3000),
      changes: many,
      evidence: many,
    });
    if (!('report' in parsed)) throw new Error(parsed.problem);
    const { summary, changes, evidence } = parsed.report;
    expect(summary.length).toBeLessThanOrEqual(2000);
    expect(summary).toMatch(/💥 … \(cut\)$/);
    expect(changes).toHaveLength(200);
    expect(changes.at(-1)).toBe('… and 301 more (cut)');
    expect(evidence.at(-1)).toEqual({ kind: 'text', ref: '… and 301 more (cut)' });
    expect(reportFrom({ ...small, artifacts: { a: 'x'.repeat(70_000) } })).toHaveProperty('problem');
  });
});
