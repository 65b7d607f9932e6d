import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindNames, type KindName } from '../../../src/task/kind-names.ts';
import { scratch } from '../../support/scratch.ts';
import { inFolder } from './real-world.ts';

/** How each verb ends for a queued task of each kind: 0, or 4 where the kind says why it cannot. */
const verbs: Readonly<Record<string, { words?: string[]; ends: Readonly<Record<KindName, number>> }>> = {
  show: { ends: { queue: 0, task: 0, packet: 0, board: 0 } },
  explain: { ends: { queue: 0, task: 0, packet: 0, board: 0 } },
  logs: { ends: { queue: 0, task: 0, packet: 0, board: 0 } },
  evidence: { ends: { queue: 0, task: 0, packet: 0, board: 0 } },
  'gate list': { ends: { queue: 0, task: 0, packet: 0, board: 0 } },
  'gate approve': { ends: { queue: 3, task: 3, packet: 3, board: 3 } },
  'gate reject': { words: ['--note', 'no'], ends: { queue: 3, task: 3, packet: 3, board: 3 } },
  // The packet's agent is not on the PATH here.
  validate: { ends: { queue: 0, task: 0, packet: 2, board: 0 } },
  trust: { ends: { queue: 0, task: 0, packet: 0, board: 0 } },
  'trust low': { ends: { queue: 0, task: 0, packet: 4, board: 0 } },
  run: { words: ['--dry-run'], ends: { queue: 0, task: 4, packet: 4, board: 4 } },
  retry: { ends: { queue: 0, task: 4, packet: 0, board: 0 } },
  requeue: { ends: { queue: 0, task: 4, packet: 0, board: 0 } },
  diff: { ends: { queue: 3, task: 4, packet: 4, board: 4 } },
  merge: { ends: { queue: 4, task: 4, packet: 4, board: 4 } },
  pr: { ends: { queue: 4, task: 4, packet: 4, board: 4 } },
  restore: { ends: { queue: 4, task: 4, packet: 4, board: 4 } },
  delete: { ends: { queue: 0, task: 4, packet: 4, board: 4 } },
  cancel: { ends: { queue: 0, task: 0, packet: 0, board: 0 } },
};

const made = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-'));
afterAll(() => fs.rmSync(made, { recursive: true, force: true }));

beforeAll(async () => {
  for (const words of [
    ['add', 'Fix it', '--name', 'login'],
    ['packet', 'new', '--id', 'login', '--goal', 'Fix it', '--intent', 'review_only'],
    ['task', 'create', '--title', 'Fix it', '--topology', 'swarm'],
    ['say', 'create task: Fix it'],
  ])
    if ((await inFolder(made, words)).code !== 0) throw new Error(`docket ${words.join(' ')} failed`);
});

/** A copy of a project with one queued task of each kind; two of them have the same name. */
function project(): { root: string; names: Record<KindName, string> } {
  const root = scratch();
  fs.cpSync(made, root, { recursive: true });
  const [task = ''] = fs.readdirSync(path.join(root, '.agentmesh/tasks'));
  return { root, names: { queue: 'login', packet: 'login', task, board: 'T-001' } };
}

const cases = Object.keys(verbs).flatMap((verb) => kindNames.map((kind) => [verb, kind] as const));

/** The line that a person types, and how it ends. */
async function typed(verb: string, kind: KindName, ...more: string[]) {
  const { root, names } = project();
  const { words = [], ends } = verbs[verb] ?? { ends: {} as Record<KindName, number> };
  const [first = '', ...level] = verb.split(' ');
  const name = `${kind}:${names[kind]}`;
  const line = first === 'gate' ? [verb.split(' '), name].flat() : [first, name, ...level];
  return { wanted: ends[kind], ended: await inFolder(root, [...line, ...words, ...more]) };
}

it.each(cases)('docket %s does it for a task of the kind %s, or says why not', async (verb, kind) => {
  const { wanted, ended } = await typed(verb, kind);
  // A cause, and a way to continue.
  const error = /^error: .+\n(?: {2}in: .+\n)? {2}fix: .+/;
  const finding = / error .+\n {2}fix: .+/;
  const fails = error.test(ended.stderr) || finding.test(ended.stdout);
  expect({ code: ended.code, fails }).toEqual({
    code: wanted,
    fails: wanted !== 0,
  });
});

it.each(cases)('docket %s answers as JSON for a task of the kind %s', async (verb, kind) => {
  const { wanted, ended } = await typed(verb, kind, '--json');
  const answers = ended.stdout.split('\n').filter((one) => one !== '');
  // The log of a task without an attempt is empty.
  const told = answers.map((one) => (JSON.parse(one) as { ok: boolean }).ok);
  expect([ended.code, told]).toEqual([wanted, verb === 'logs' ? [] : [wanted === 0]]);
});

it('show has the same part about a task of every kind', async () => {
  const shown = await Promise.all(
    kindNames.map(async (kind) => {
      const { root, names } = project();
      const { stdout } = await inFolder(root, ['show', `${kind}:${names[kind]}`, '--json']);
      return JSON.parse(stdout) as { kind: string; about: Record<string, unknown> };
    }),
  );
  for (const [at, { kind, about }] of shown.entries()) {
    expect(kind).toBe(kindNames[at]);
    expect(Object.keys(about).toSorted()).toEqual(Object.keys(shown[0]?.about ?? {}).toSorted());
    expect(about).toMatchObject({ title: 'Fix it', cause: { kind: 'queued' }, gates: [], evidence: [] });
    expect(about['next']).not.toEqual([]);
  }
});

it('a name that two kinds have is asked about, and a unique one is enough', async () => {
  const { root } = project();
  const both = await inFolder(root, ['cancel', 'login', '--json']);
  expect(both.code).toBe(2);
  expect(JSON.parse(both.stdout)).toMatchObject({
    tasks: [{ ok: false, error: { fix: 'say which: queue:login, packet:login' } }],
  });
  const done = await inFolder(root, ['cancel', 'packet:login', 'T-1']);
  expect(done).toMatchObject({
    code: 0,
    stdout: 'login is canceled (was queued)\nT-001 is canceled (was queued)\n',
  });
  expect(await inFolder(root, ['retry', 'T-1', 'login'])).toMatchObject({ code: 2 });
  expect(await inFolder(root, ['retry', 'packet:login'])).toMatchObject({
    code: 0,
    stdout: 'login is queued (was canceled)\n',
  });
});
