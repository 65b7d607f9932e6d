import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { kindNames, type KindName } from '../../../src/kinds/names.ts';
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

/** A project with one queued task of each kind; two of them have the same name. */
async function project(): Promise<{ root: string; names: Record<KindName, string> }> {
  const root = scratch();
  for (const words of [
    ['add', 'Fix it', '--name', 'login'],
    ['packet', 'new', '--id', 'login', '--goal', 'Fix it', '--intent', 'review_only'],
    ['task', 'create', '--title', 'Fix it', '--topology', 'swarm'],
    ['say', 'create task: Fix it'],
  ])
    expect(await inFolder(root, words), words.join(' ')).toMatchObject({ code: 0 });
  const [task = ''] = fs.readdirSync(path.join(root, '.agentmesh/tasks'));
  return { root, names: { queue: 'login', packet: 'login', task, board: 'T-001' } };
}

const cases = Object.keys(verbs).flatMap((verb) => kindNames.map((kind) => [verb, kind] as const));

it.each(cases)('docket %s of a task of the kind %s does it or says why not', async (verb, kind) => {
  const { ends, words = [] } = verbs[verb] ?? { ends: {} as Record<KindName, number> };
  const { root, names } = await project();
  const [first = '', ...more] = verb.split(' ');
  const before = first === 'gate' ? [first, ...more] : [first];
  const after = first === 'gate' ? words : [...more, ...words];
  const typed = `${kind}:${names[kind]}`;
  const line = [...before, typed, ...after];
  const json = await inFolder(root, [...line, '--json']);
  const dry = first === 'cancel' || first === 'delete' ? await project() : { root };
  const text = await inFolder(
    dry.root,
    kind === 'task' && 'names' in dry ? [...before, `task:${dry.names.task}`, ...after] : line,
  );
  expect([text.code, json.code], text.stderr + json.stdout).toEqual([ends[kind], ends[kind]]);
  const answers = json.stdout
    .trim()
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one) as Record<string, unknown>);
  if (ends[kind] === 0) {
    if (first !== 'logs') expect(answers[0]).toMatchObject({ ok: true });
    return;
  }
  expect(answers[0]).toMatchObject({ ok: false });
  // Cause first, then a way to go on.
  expect(text.stderr).toMatch(/^error: .+\n(?: {2}in: .+\n)? {2}fix: .+/);
});

it('a name that two kinds have is asked about, and a unique one is enough', async () => {
  const { root } = await project();
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
