import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Meter } from '../../../src/meter/meter.ts';
import { brokenTrial } from '../../support/killed-merge.ts';
import { config, Patient } from '../../support/patient.ts';
import { add, journalOf, openStore, storeFile } from '../../support/scratch.ts';

type Ill = [what: string, make: (patient: Patient) => unknown];

async function journalAs(root: string, change: (journal: Buffer) => Buffer): Promise<void> {
  const store = await openStore(root);
  await add(store, 'a');
  await store.close();
  fs.writeFileSync(journalOf(root), change(fs.readFileSync(journalOf(root))));
  fs.rmSync(storeFile(root, 'snapshot.jsonl'), { force: true });
}

/** What can be typed without harm, by what the doctor says of it; by patient: what can be had together. */
const ill: Ill[][] = [
  [
    ['no git repository', ({ root }) => fs.rmSync(path.join(root, '.git'), { recursive: true })],
    ['no settings of its own', ({ root }) => fs.rmSync(path.join(root, '.docket/config.yaml'))],
    ['cut short', ({ repository }) => repository.write('.docket/queue/torn-1.jsonl', '{"v":')],
  ],
  [
    [
      'no commit yet',
      (patient) => {
        fs.rmSync(path.join(patient.root, '.git'), { recursive: true });
        patient.typed('git init -q && git config user.name a && git config user.email a@example.com');
      },
    ],
    ['no agent is the default', (patient) => patient.settings(config.replace(/^defaultAgent.*\n/m, ''))],
    [
      'byte order mark',
      ({ root }) => journalAs(root, (text) => Buffer.concat([Buffer.from('\uFEFF'), text])),
    ],
  ],
  [
    ['no branch is checked out', ({ repository }) => repository.git('checkout', '--quiet', '--detach')],
    [
      'is left alone until',
      ({ env }) =>
        new Meter(path.join(env.DOCKET_STATE, 'meter'), () => Date.now()).park('codex', {
          kind: 'limit',
          reason: 'x',
          source: 'codex',
        }),
    ],
    [
      'line ends are CRLF',
      ({ root }) => journalAs(root, (text) => Buffer.from(text.toString().replaceAll('\n', '\r\n'))),
    ],
    [
      'own state are committed',
      ({ repository }) => {
        repository.write('.docket/queue/x', '1');
        repository.git('add', '--force', '.docket/queue/x');
      },
    ],
  ],
  [
    [
      'no branch is checked out',
      ({ repository }) => {
        repository.git('checkout', '--quiet', '--detach');
        repository.commit();
      },
    ],
    [
      'is UTF-16',
      ({ root }) => journalAs(root, (text) => Buffer.from(`\uFEFF${text.toString()}`, 'utf16le')),
    ],
    ['nothing keeps the state', ({ root }) => fs.rmSync(path.join(root, '.docket/.gitignore'))],
    ['left a broken work tree entry', ({ root }) => void brokenTrial(root, path.join(root, '.docket/queue'))],
  ],
  [
    [
      'a merge is half done',
      ({ repository }) => {
        repository.git('checkout', '--quiet', '-b', 'side');
        repository.commit();
        repository.git('checkout', '--quiet', 'main');
        repository.commit();
        repository.git('merge', '--quiet', '--no-commit', '--no-ff', 'side');
      },
    ],
  ],
];

it.each(ill.map((all) => [all.map(([what]) => what).join('; '), all] as const))(
  'what the doctor says to type mends it: %s',
  async (_all, all) => {
    const patient = new Patient();
    for (const [, make] of all) await make(patient);
    const found = async () => {
      const { findings } = await patient.examined();
      return all.flatMap(([what]) => {
        const one = findings.find((each) => each.state !== 'ok' && each.what.includes(what));
        return one && one.state !== 'ok' ? [one.command] : [];
      });
    };
    const commands = await found();
    expect(commands).toHaveLength(all.length);
    for (const command of commands) expect(patient.typed(command)).toBe(0);
    expect(await found()).toEqual([]);
  },
);

it.each([
  ['in braces', '{ agents: { mine: { adapter: script, command: [./a.yaml] } } }\n'],
  ['that ends', `${config.replace(/^defaultAgent.*\n/m, '')}...\n`],
  ['with an empty one', `${config.replace(/^defaultAgent.*\n/m, '')}# defaultAgent: x`],
])('what it says to type for a default agent breaks no settings %s', async (_what, text) => {
  const patient = new Patient().settings(text);
  const { findings } = await patient.examined();
  const found = findings.find(({ what }) => what.includes('no agent is the default'));
  if (found?.state !== 'warn') throw new Error('it is not told');
  expect(patient.typed(found.command)).toBe(0);
  expect(patient.typed('docket validate')).toBe(0);
});
