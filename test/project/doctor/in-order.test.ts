import fs from 'node:fs';
import { expect, it } from 'vitest';
import { examine } from '../../../src/project/doctor/doctor.ts';
import { Patient, wrong } from '../../support/patient.ts';
import { scratch } from '../../support/scratch.ts';

it('finds nothing in a project that is in order, and looks at everything', async () => {
  const names: string[] = [];
  const { root, env } = new Patient();
  const where = { root, env, clock: { now: () => Date.now() }, warn: () => undefined };
  const findings = await examine(where, { onCheck: (name) => names.push(name) });
  // Not every machine that runs tests has a sandbox or much room.
  expect(wrong(findings).filter(({ check }) => check !== 'sandbox' && check !== 'disk')).toEqual([]);
  expect(names).toEqual([...new Set(findings.map(({ check }) => check))]);
});

it('says what a folder that is no repository lacks', async () => {
  const root = scratch();
  const env = { PATH: process.env['PATH'], HOME: root };
  const findings = await examine({ root, env, clock: { now: () => 0 }, warn: () => undefined }, {});
  const by = (check: string) => wrong(findings).find((one) => one.check === check);
  expect(by('repository')).toMatchObject({ command: 'git init' });
  expect(by('settings')).toMatchObject({ command: 'docket init' });
  expect(by('clock')).toMatchObject({ state: 'bad' });
  expect(by('state')).toMatchObject({ what: expect.stringContaining('home') });
  expect(fs.readdirSync(root)).toEqual([]);
});
