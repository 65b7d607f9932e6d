import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { classify, type WorkerOutput } from '../../src/report/classify.ts';
import { reportSchema, type Report } from '../../src/report/schema.ts';

const dispatched = { taskId: 'T-001', agent: 'coder', aliases: ['codex'], title: 'Fix the blocked login' };
const accepted = () => undefined;
const needsEvidence = ({ evidence }: Report) => (evidence.length > 0 ? undefined : 'no evidence');

const good = {
  taskId: 'T-001',
  agent: 'coder',
  status: 'done',
  summary: 'The login works.',
  changes: [{ path: 'src/login.ts', summary: 'checks the name' }],
  evidence: ['npm test: 12 passed'],
  risks: [],
  nextActions: ['deploy'],
};
const json = (value: unknown): string => JSON.stringify(value);
const told = (
  output: string | Partial<WorkerOutput>,
  accepts: (report: Report) => string | undefined = accepted,
) => {
  const { decision, reasonCode } = classify(
    { text: '', ...(typeof output === 'string' ? { text: output } : output) },
    dispatched,
    accepts,
  );
  return `${decision} ${reasonCode}`;
};

describe("a worker's output", () => {
  test('that is the report as asked for', () => {
    const answer = classify({ text: json(good) }, dispatched, needsEvidence);
    expect(answer).toEqual({
      decision: 'done',
      reasonCode: 'done_with_evidence',
      detail: 'The login works.',
      structured: true,
      report: {
        status: 'success',
        summary: 'The login works.',
        changes: ['src/login.ts: checks the name'],
        evidence: [{ kind: 'text', ref: 'npm test: 12 passed' }],
        risks: [],
        nextActions: ['deploy'],
        questions: [],
        errors: [],
      },
    });
    expect(v.parse(reportSchema, answer.report)).toEqual(answer.report);
  });

  test.each<[string, string | Partial<WorkerOutput>]>([
    ['between sentences', `I am ready.\n\`\`\`json\n${json(good)}\n\`\`\`\nBye.`],
    ['as structured output', { structured: good, text: 'whatever' }],
    ['under a key', json({ report: good })],
    [
      'as a text in another JSON',
      json({ status: 'ok', result: { payloads: [{ text: `Ok.\n${json(good)}` }] } }),
    ],
    ['as a text in a text', json({ result: json({ output: json(good) }) })],
    [
      'as the last of several lines',
      `${json({ type: 'start' })}\n${json({ type: 'result', result: json(good) })}`,
    ],
    ['with another word for its status', json({ ...good, status: undefined, taskStatus: 'Completed' })],
    ['with another key for its summary', json({ ...good, summary: undefined, message: 'It works' })],
    ['with its id in other letters, by its other name', json({ ...good, taskId: 't-001', agent: 'Codex' })],
    ['without names', json({ status: 'success', summary: 'x' })],
    ['behind one about another task', `${json({ ...good, taskId: 'T-002' })}\n${json(good)}`],
    [
      'before one about another task',
      `${json(good)}\n${json({ ...good, taskId: 'T-002', status: 'blocked' })}`,
    ],
    ['without a status, in words', json({ taskId: 'T-001', summary: 'All completed, 0 failed' })],
    ['in free words', 'All done, see logs/run.txt'],
    ['in free words around an object', 'The config is {"a": 1} now. T-001 is completed.'],
    ['in free words inside JSON', json({ status: 'ok', payloads: [{ text: 'T-001 已完成' }] })],
    [
      'whose evidence has a status of its own',
      json({ ...good, evidence: [{ status: 'failed', result: 'before' }] }),
    ],
  ])('is done %s', (_, output) => {
    expect(told(output)).toBe('done done_with_evidence');
  });

  test.each<[string, string, string | Partial<WorkerOutput>]>([
    ['an exit code', 'blocked spawn_failed', { text: json(good), exitCode: 3, stderr: 'boom' }],
    ['a signal', 'blocked spawn_failed', { text: json(good), exitCode: null }],
    ['given output without JSON', 'blocked invalid_spawn_output', { text: 'all done', simulated: true }],
    ['a call that failed', 'blocked spawn_failed', json({ status: 'error', result: good })],
    ['a call that timed out', 'blocked spawn_failed', json({ status: 'timeout' })],
    ['a call that is not ok', 'blocked spawn_failed', json({ ok: false, result: good })],
    ['a report that is not ok', 'blocked spawn_failed', json({ ...good, ok: false })],
    ['a report of blocked', 'blocked blocked_signal', json({ ...good, status: 'blocked' })],
    ['a report of failure', 'blocked blocked_signal', json({ ...good, status: 'failed' })],
    ['words that say so', 'blocked blocked_signal', 'I am blocked: there is no key'],
    [
      'progress, whatever its words',
      'progress no_completion_signal',
      json({ ...good, status: 'progress', summary: 'half is done' }),
    ],
    ['no word about the end', 'blocked no_completion_signal', 'I looked at the code.'],
    ['an object that is no report', 'blocked no_completion_signal', json({ a: 1 })],
    ['nothing', 'blocked no_completion_signal', ''],
    ['a foreign task', 'blocked invalid_spawn_output', json({ ...good, taskId: 'T-0010' })],
    ['a foreign agent', 'blocked invalid_spawn_output', json({ ...good, agent: 'debugger' })],
    [
      'the form that it was sent',
      'blocked no_completion_signal',
      json({ ...good, status: 'done|blocked|progress' }),
    ],
    [
      'broken JSON behind words',
      'blocked no_completion_signal',
      'Here: {"taskId": "T-001", "status": "done", "summary": "ok',
    ],
    ['broken JSON', 'blocked no_completion_signal', '{"taskId":"T-001","status":"done","summary":'],
  ])('%s is %s', (_, right, output) => {
    expect(told(output)).toBe(right);
  });

  test('the gate has the last word about done', () => {
    const answer = classify({ text: json({ ...good, evidence: [] }) }, dispatched, needsEvidence);
    expect(answer).toMatchObject({
      decision: 'blocked',
      reasonCode: 'incomplete_output',
      detail: 'The login works. | no evidence',
      report: { status: 'blocked' },
    });
    expect(told('all done', needsEvidence)).toBe('blocked incomplete_output');
  });

  test('its failure is told in its own last words', () => {
    const output = { text: 'a', stderr: `${'x'.repeat(1000)}\nno such model\n`, exitCode: 1 };
    expect(classify(output, dispatched, accepted).detail).toMatch(/no such model$/);
    expect(classify({ text: '', exitCode: 7 }, dispatched, accepted).detail).toBe('exit 7');
    expect(classify({ text: json({ ok: false, error: 'no key' }) }, dispatched, accepted).detail).toBe(
      'no key',
    );
  });

  test('its lists may have any shape', () => {
    const loose = {
      status: 'done',
      summary: 'x',
      changes: [{ file: 'a.ts', change: 'b' }, 'c', { path: 'd' }, 7, null, {}],
      evidence: [
        { path: 'logs/a.txt', note: 'n' },
        { command: 'npm test', output: '3 passed' },
        { type: 'URL', ref: 'https://a.b/c' },
        { text: 't' },
        'https://a.b/d',
        {},
      ],
      risks: '- one\n- two',
      next: 'go on',
    };
    const { report } = classify({ text: json(loose) }, dispatched, accepted);
    expect(report).toMatchObject({
      changes: ['a.ts: b', 'c', 'd', '7'],
      evidence: [
        { kind: 'file', ref: 'logs/a.txt', note: 'n' },
        { kind: 'command', ref: 'npm test', note: '3 passed' },
        { kind: 'url', ref: 'https://a.b/c' },
        { kind: 'text', ref: 't' },
        { kind: 'url', ref: 'https://a.b/d' },
      ],
      risks: ['one', 'two'],
      nextActions: ['go on'],
    });
    expect(v.parse(reportSchema, report)).toEqual(report);
  });

  test('is always answered with a bounded report', () => {
    const any = fc.oneof(
      fc.json(),
      fc.string(),
      fc.object().map(json),
      fc.object().map((report) => json({ ...good, ...report })),
    );
    fc.assert(
      fc.property(any, (text) => {
        const { detail, report } = classify({ text }, dispatched, accepted);
        expect(detail.length).toBeLessThanOrEqual(220);
        expect(() => JSON.stringify(report)).not.toThrow();
      }),
    );
    const deep = `${'{"result":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const many = { ...good, evidence: Array.from({ length: 9999 }, () => 'x'.repeat(3000)) };
    expect(told(deep)).toBe('blocked no_completion_signal');
    const { report } = classify({ text: '', structured: many }, dispatched, accepted);
    expect(report.evidence).toHaveLength(200);
    expect(report.evidence[0]?.ref).toHaveLength(2000);
  });
});

/** As the format's other tool decides about loose JSON and free text, gate aside. */
describe('loose words of a worker', () => {
  const loose = (text: string) => classify({ text }, { taskId: 'T-1', agent: 'coder' }, () => undefined);

  test.each([
    '{"summary":"completed. all tests pass, see logs/x.log"}',
    '{"result":"已完成，测试日志 logs/x.log"}',
    '{"note":"all completed, log in logs/x.log"}',
    '{"text":"Task is done. pytest: 12 passed, log logs/x.log"}',
    '{"final":"verified, test log logs/x.log"}',
    '{"status":"ok","summary":"finished, tests pass, logs/x.log"}',
    '{"taskStatus":"done","output":"tests pass: logs/x.log"}',
    'Here you go: {"summary":"completed, tests pass, logs/x.log"} bye',
    'T-1 已完成，测试通过，日志 logs/x.log',
  ])('are done: %s', (text) => {
    const { decision, detail } = loose(text);
    expect([decision, /logs\/x\.log/.test(detail)]).toEqual(['done', true]);
  });

  test.each([
    ['{"summary":"阻塞：没有权限"}', 'blocked_signal', '阻塞：没有权限'],
    ['{"status":"blocked","questions":["Which key?"],"taskId":"T-1"}', 'blocked_signal', 'Which key?'],
    ['{"status":"blocked"}', 'spawn_failed', 'the call ended as blocked'],
    ['{"ok":false,"error":"boom"}', 'spawn_failed', 'boom'],
    ['{"summary":"I looked at the code"}', 'no_completion_signal', 'I looked at the code'],
    ['{"foo":1}', 'no_completion_signal', ''],
    ['{"status":"done|blocked|progress","summary":"completed, see logs/x.log"}', 'no_completion_signal', ''],
  ])('are a block: %s', (text, reasonCode, detail) => {
    expect(loose(text)).toMatchObject({ decision: 'blocked', reasonCode, detail });
  });
});
