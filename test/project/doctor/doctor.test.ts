import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownIdentity } from '../../../src/io/identity.ts';
import { tempFolderOf } from '../../../src/io/process/temp-folder.ts';
import { Meter } from '../../../src/meter/meter.ts';
import { execute } from '../../../src/store/execute.ts';
import { openBoard, logOf } from '../../support/board.ts';
import { config, parsed, Patient, wrong } from '../../support/patient.ts';
import { add, journalOf, openStore, storeFile } from '../../support/scratch.ts';
import { taskDirectory } from '../../support/task-directory.ts';

type Sick = [what: string, make: (patient: Patient) => unknown, expected: object];

/** By patient: what of it can be had together. */
const sick: Sick[][] = [
  [
    [
      'settings with a typo, once however many stumble over them',
      (patient) => patient.settings('concurency: 1\n'),
      {
        check: 'settings',
        state: 'bad',
        what: expect.stringContaining('concurency'),
        command: '${EDITOR:-vi} +1 .docket/config.yaml',
        fix: expect.stringContaining('concurrency'),
      },
    ],
  ],
  [
    [
      'no command that checks the work',
      (patient) => patient.settings('acceptance: []\n'),
      {
        check: 'proof',
        state: 'warn',
        where: 'acceptance',
        what: expect.stringContaining('no command checks what agents did'),
        command: '${EDITOR:-vi} +1 .docket/config.yaml',
      },
    ],
  ],
  [
    [
      'a default agent with a typo',
      (patient) => patient.settings('# mine\ndefaultAgent: codx\n'),
      {
        check: 'agents',
        state: 'bad',
        what: 'defaultAgent is "codx", and there is no agent of that name',
        fix: expect.stringContaining('did you mean "codex"?'),
        command: '${EDITOR:-vi} +2 .docket/config.yaml',
      },
    ],
  ],
  [
    [
      'a default agent that is not there',
      (patient) =>
        patient.settings(
          'agents: { mine: { adapter: command, command: [./gone.sh] }, dull: { adapter: command, command: [./dull.sh] }, gone: { adapter: command, command: [/none/gone] } }\ndefaultAgent: mine\n',
        ),
      {
        check: 'agents',
        state: 'bad',
        what: expect.stringContaining('mine cannot be started'),
        command: '${EDITOR:-vi} +1 .docket/config.yaml',
      },
    ],
    [
      'agents of the settings that cannot be started',
      (patient) => {
        patient.repository.write('dull.sh', '#!/bin/sh\n');
      },
      {
        check: 'agents',
        state: 'warn',
        what: expect.stringMatching(/^dull: .*dull\.sh cannot be started: it is not executable$/),
      },
    ],
    [
      'agents of the settings that are gone',
      () => undefined,
      {
        check: 'agents',
        state: 'warn',
        what: 'gone: the program is not there: /none/gone',
        command: '${EDITOR:-vi} +1 .docket/config.yaml',
      },
    ],
    [
      'a damaged journal of the queue',
      async ({ root }) => {
        await queueWith(root, 'a', 'b');
        const lines = fs.readFileSync(journalOf(root), 'utf8').split('\n');
        fs.writeFileSync(journalOf(root), [lines[0], 'x', ...lines.slice(2)].join('\n'));
        fs.rmSync(storeFile(root, 'snapshot.jsonl'), { force: true });
      },
      {
        check: 'tasks',
        state: 'bad',
        where: '.docket/queue/journal.jsonl:2',
        what: expect.stringContaining('checksum'),
        command: 'docket repair',
      },
    ],
    [
      'a commit that no branch has',
      ({ repository }) => repository.git('checkout', '--quiet', '--detach'),
      { check: 'repository', state: 'warn', what: expect.stringContaining('no branch') },
    ],
  ],
  [
    [
      'a store of a newer docket',
      async ({ root }) => {
        await queueWith(root, 'a');
        fs.writeFileSync(storeFile(root, 'store.json'), '{"v":2}');
      },
      {
        check: 'tasks',
        state: 'bad',
        what: expect.stringContaining('newer docket'),
        command: expect.stringMatching(/^git -C .* pull && npm .* install && npm .* run build$/),
      },
    ],
    [
      'a cap on money that cannot be held',
      (patient) => {
        patient.repository.write('agent.sh', '#!/bin/sh\n');
        fs.chmodSync(patient.repository.place('agent.sh'), 0o755);
        patient.settings(
          'agents: { mine: { adapter: command, command: [./agent.sh] } }\ndefaultAgent: mine\nbudgets: { day: { money: 5 } }\n',
        );
      },
      {
        check: 'budgets',
        state: 'bad',
        what: expect.stringContaining('mine'),
        fix: expect.stringContaining('unknownPrice'),
        command: '${EDITOR:-vi} +3 .docket/config.yaml',
      },
    ],
    [
      'a merge that is half done',
      ({ repository }) => repository.write('.git/MERGE_HEAD', ''),
      {
        check: 'repository',
        state: 'warn',
        what: expect.stringContaining('merge is half done'),
        command: 'git merge --continue',
      },
    ],
  ],
  [
    [
      'a provider that is left alone',
      async ({ env }) =>
        new Meter(path.join(env.DOCKET_STATE, 'meter'), () => Date.now()).park('codex', {
          kind: 'limit',
          reason: 'try at seven',
          source: 'codex',
        }),
      {
        check: 'limits',
        state: 'warn',
        what: expect.stringContaining('try at seven'),
        command: 'docket limits open codex',
      },
    ],
    [
      'a webhook without TLS',
      (patient) =>
        patient.settings(`${config}notify: { webhook: "http://example.com/x", chat: true, desktop: true }\n`),
      {
        check: 'notices',
        state: 'bad',
        where: 'notify.webhook',
        fix: expect.stringContaining('https'),
        command: '${EDITOR:-vi} +4 .docket/config.yaml',
      },
    ],
    [
      'a chat that nobody serves',
      () => undefined,
      {
        check: 'notices',
        state: 'warn',
        where: 'notify.chat',
        command: '${EDITOR:-vi} +4 .docket/config.yaml',
      },
    ],
    [
      'a desktop that is none',
      () => undefined,
      { check: 'notices', where: 'notify.desktop', command: '${EDITOR:-vi} +4 .docket/config.yaml' },
    ],
    [
      'a task directory with a broken log',
      ({ root }) => taskDirectory(root, 't-1', { 'events.jsonl': '{"no":"event"}\n{}\n' }),
      { check: 'tasks', state: 'warn', where: '.agentmesh/tasks/t-1/events.jsonl:1' },
    ],
    [
      'a packet without a manifest',
      ({ root }) => fs.mkdirSync(path.join(root, '.tmp/task/p-1'), { recursive: true }),
      {
        check: 'tasks',
        state: expect.stringMatching(/warn|bad/),
        where: expect.stringContaining('.tmp/task/p-1'),
      },
    ],
    [
      'a board with a line that is none',
      async ({ root }) => {
        await (await openBoard(root)).close();
        fs.writeFileSync(logOf(root), 'nonsense\n{"also":"bad"}\n');
      },
      { check: 'tasks', state: 'bad', where: 'state/tasks.jsonl:1' },
    ],
    [
      'a task that says running without a process',
      async ({ root }) => {
        const store = await openStore(root);
        await add(store, 'a');
        const lease = { kind: 'process', ...ownIdentity(), pid: 4_190_000, startTime: '1' } as const;
        await execute(
          store,
          { type: 'start', id: 'a', by: 'x', owner: 'x', lease },
          { now: new Date().toISOString() },
        );
        await store.close();
      },
      {
        check: 'running',
        state: 'warn',
        what: expect.stringContaining('a says running'),
        command: 'docket run a',
      },
    ],
    [
      'a temporary folder of a run that died',
      ({ root, repository }) => {
        const mark = `left${path
          .basename(path.dirname(root))
          .toLowerCase()
          .replaceAll(/[^a-z0-9]/g, '')}`;
        repository.write('.docket/queue/attempts/a/work/1/start.json', `{ "mark": "${mark}" }`);
        fs.mkdirSync(tempFolderOf(mark));
        left.push(tempFolderOf(mark));
      },
      { check: 'leftovers', state: 'warn', command: expect.stringMatching(/^rm -r .*\/docket-left/) },
    ],
    [
      'state that git carries',
      ({ repository }) => {
        repository.write('.docket/queue/x', '1');
        repository.git('add', '--force', '.docket/queue/x');
      },
      { check: 'state', state: 'warn', what: expect.stringContaining('.docket/queue/x') },
    ],
  ],
];

const left: string[] = [];

async function queueWith(root: string, ...ids: string[]): Promise<void> {
  const store = await openStore(root);
  for (const id of ids) await add(store, id);
  await store.close();
}

describe('the doctor finds', () => {
  const commands: string[] = [];

  it.each(sick.map((all) => [all.map(([what]) => what).join('; '), all] as const))(
    '%s',
    async (_all, all) => {
      const patient = new Patient();
      for (const [, make] of all) await make(patient);
      const { findings: seen, changed } = await patient.examined();
      expect(changed).toBe(false);
      const findings = wrong(seen);
      for (const folder of left.splice(0)) fs.rmSync(folder, { recursive: true });
      for (const [, , expected] of all) expect(findings).toContainEqual(expect.objectContaining(expected));
      expect(new Set(findings.map(({ what, where }) => `${what} ${where ?? ''}`)).size).toBe(findings.length);
      expect(findings.filter(({ command }) => command.trim() === '')).toEqual([]);
      const opening = findings.filter(({ command }) => command.startsWith('${EDITOR'));
      for (const { command } of opening) expect(patient.typed(command)).toBe(0);
      for (const { fix, command } of findings) commands.push(fix, command);
    },
  );

  it('and what it says to type is a command', async () => {
    expect(commands.length).toBeGreaterThan(sick.flat().length);
    for (const line of new Set(commands.filter((one) => one.startsWith('docket ')))) await parsed(line);
  });
});
