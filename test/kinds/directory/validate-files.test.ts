import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateTaskDir } from '../../../src/kinds/directory/validate.ts';
import { encodeLine } from '../../../src/store/codec.ts';
import { scratch } from '../../support/scratch.ts';
import { eventOf, evidence, taskDirectory } from '../../support/task-directory.ts';

const id = 'T-1';
const created = eventOf(id, 'task.created');
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const event = { ts: '2026-01-05T10:00:00Z', type: 'x.y', taskId: id, by: 'user', payload: {} };
const readme = (state: string) => ({ 'README.md': `# x\n- id: \`${id}\`\n- topology: \`swarm\`\n${state}` });
const head = `id: ${id}\ntitle: x\ntopology: swarm\nstate: working\n`;
const yaml = (text: string) => ({ 'task.yaml': text });
const events = (text: string) => ({ 'events.jsonl': created + text });
const index = (...entries: object[]) => ({ 'shared/evidence/index.json': JSON.stringify(entries) });
const manifest = (text: string) => ({ 'shared/context-manifest.yaml': `attachments:\n  - ${text}\n` });
const summary = (text: string) => ({ 'shared/reports/joined-summary.md': text });
const anchor = (file: string) => ({ type: 'fileAnchor', path: file, startLine: 1, endLine: 1 });
const foreign = JSON.stringify({ taskId: 'T-2', generatedAt: event.ts, workers: [] });

/** What is changed (null: taken away), and what is then found: severity, path, line and message. */
type Case = [changes: Record<string, string | null>, found: RegExp];

const cases: Record<string, Case> = {
  'no README': [{ 'README.md': null }, /^note README\.md: it is missing/],
  'a README without the state': [readme(''), /^error README\.md: it does not say the state/],
  'a stale README': [
    readme('- state: `created`\n'),
    /^note README\.md: .*created, task\.yaml says completed/,
  ],
  'no human notes': [{ 'shared/human-notes.md': null }, /^note shared\/human-notes\.md: it is missing/],
  'no manifest': [{ 'shared/context-manifest.yaml': null }, /^warning shared\/context-manifest\.yaml: /],

  'no task.yaml': [{ 'task.yaml': null }, /^error task\.yaml: it is missing/],
  'a task.yaml that is no YAML': [yaml('id: T-1\ntitle: [x\n'), /^error task\.yaml:\d: /],
  'the id of another task': [yaml(head.replace(id, 'T-2')), /^error task\.yaml:1: it says the id "T-2"/],
  'a state nobody knows': [yaml(head.replace('working', 'busy')), /^error task\.yaml:4: .*busy/],
  'a legacy state': [
    yaml(head.replace('working', 'gate.blocked')),
    /^note task\.yaml:4: "gate\.blocked" means "input-required"/,
  ],
  'a legacy worker state': [
    yaml(`${head}roster:\n  - instance: w2\n    agent: a\n    state: created\n`),
    /^note task\.yaml:8: "created" means "pending"/,
  ],
  'a title that the schema forbids': [
    yaml(head.replace('title: x', `title: ${'x'.repeat(201)}`)),
    /^warning task\.yaml:2: \$\.title/,
  ],
  'a milestone that waits for none': [
    yaml(`${head}milestones:\n  - {id: m, title: M, state: pending, dependsOn: [n]}\n`),
    /^error task\.yaml: .*waits for "n"/,
  ],
  'a gate that points nowhere': [
    yaml(`${head}gates:\n  - {id: g, type: auto-check, state: open, instructionsRef: ./no.md}\n`),
    /^error task\.yaml: .*no\.md/,
  ],

  'an event that is no JSON': [events('{"ts"\n'), /^warning events\.jsonl:2: the line cannot be read/],
  'an empty line': [events('\n'), /^warning events\.jsonl:2: the line is empty/],
  'an event without a time': [
    events(eventOf(id, 'x', { ts: 'yesterday' })),
    /^warning events\.jsonl:2: \$\.ts: /,
  ],
  'an event without a type': [events(eventOf(id, '')), /^error events\.jsonl:2: \$\.type: /],
  'an event of another task': [events(eventOf('T-2', 'x')), /^error events\.jsonl:2: .*"T-2"/],
  'a last line without an end': [events(created.slice(0, 30)), /^warning events\.jsonl:2: .*cut short/],
  'no word of the beginning': [{ 'events.jsonl': eventOf(id, 'x') }, /^error events\.jsonl: .*created/],
  'a sealed line that was changed': [
    events(encodeLine(event).replace('user', 'ruse')),
    /^error events\.jsonl:2: .*checksum/,
  ],
  'a line as deep as the sea': [
    events(`${JSON.stringify({ ...event, payload: 0 }).replace('"payload":0', `"payload":${deep}`)}\n`),
    /^error events\.jsonl:2: the line cannot be read/,
  ],

  'evidence that is no list': [{ 'shared/evidence/index.json': '{}' }, /^error shared\/evidence.*list/],
  'evidence that is no JSON': [
    { 'shared/evidence/index.json': '[\n  {,\n]' },
    /^error shared\/evidence\/index\.json:2: it is not JSON/,
  ],
  'an entry without sources': [index({ ...evidence, sources: [] }), /^error shared\/.*\$\[0\]\.sources/],
  'an entry twice': [index(evidence, evidence), /^error shared\/evidence.*"worker-w1" is there twice/],
  'an anchor outside the project': [
    index(evidence, { ...evidence, id: 'b', sources: [anchor('/etc/passwd')] }),
    /^error shared\/evidence.*\$\[1\].*absolute/,
  ],
  'a reference that leads nowhere': [
    index({ ...evidence, artifactRefs: ['./agents/w1/artifacts/gone.json'] }),
    /^error shared\/evidence.*gone\.json", which is not there/,
  ],
  'a citation of nothing': [
    summary('# x\n- evidence: evidence:worker-w2\n'),
    /^error shared\/reports\/joined-summary\.md:2: .*worker-w2/,
  ],
  'a citation of nothing in the words of an agent': [
    summary('# x\n- summary: see evidence:mine\n'),
    /^warning shared\/reports\/joined-summary\.md:2: .*mine/,
  ],
  'a summary of another task': [
    { 'shared/reports/joined-summary.json': foreign },
    /^error shared\/reports\/joined-summary\.json: .*"T-2"/,
  ],

  'a result that fits no schema': [
    { 'agents/w1/artifacts/final.json': '{"status":"great","summary":"x"}' },
    /^error agents\/w1\/artifacts\/final\.json: \$\.status/,
  ],
  'a result cut short': [
    { 'agents/w1/artifacts/final.json': '{"status":' },
    /^error agents\/w1\/artifacts\/final\.json:1: it is not JSON/,
  ],
  'a completed worker without a result': [
    { 'agents/w1/artifacts/final.json': null },
    /^warning agents\/w1\/artifacts\/final\.json: .*nothing back/,
  ],
  'a session without its vendor': [
    { 'agents/w1/session.json': '{"adapter":"codex-exec"}' },
    /^error agents\/w1\/session\.json: \$\.vendorSession/,
  ],
  'a recording that is gone': [
    { 'agents/w1/runtime/stderr.log': null },
    /^error agents\/w1\/session\.json: .*stderr\.log/,
  ],
  'a worker that the roster does not list': [
    { 'agents/w9/session.json': '{}' },
    /^warning agents\/w9: the roster/,
  ],
  'a worker whose name is no id': [{ 'agents/w 9/x': '' }, /^error agents\/w 9: its name is no instance id/],
  'a worker without a folder': [
    yaml(`${head}roster:\n  - {instance: w3, agent: a, state: active}\n`),
    /^error agents\/w3: .*no folder/,
  ],

  'a board without its pointers': [
    { 'shared/state-board.md': '# sessionGoal: x\njoined-summary evidence/index.json\n' },
    /^warning shared\/state-board\.md: .*human-notes\.md/,
  ],
  'a manifest that is no YAML': [manifest('[x'), /^error shared\/context-manifest\.yaml:\d: /],
  'an attachment that is not there': [
    manifest('{id: a, kind: file, path: docs/no.md}'),
    /^warning shared\/context-manifest\.yaml: "docs\/no\.md"/,
  ],
  'an attachment outside the project': [
    manifest('{id: a, kind: file, path: ../../x}'),
    /^error shared\/context-manifest\.yaml:2: .*\.\./,
  ],
};

describe('finds', () => {
  test.each(Object.entries(cases))('%s', async (_, [changes, expected]) => {
    const dir = taskDirectory(scratch(), id, changes);
    const found = (await validateTaskDir(dir)).map(({ severity, path: file, line, message, fix }) => {
      const place = `${path.relative(dir, file)}${line === undefined ? '' : `:${line}`}`;
      return fix === '' ? 'no fix' : `${severity} ${place}: ${message}`;
    });
    expect(found).toContainEqual(expect.stringMatching(expected));
    expect(found).not.toContain('no fix');
  });
});
