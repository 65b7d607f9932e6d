import fs from 'node:fs';
import { expect, it } from 'vitest';
import type { Hold } from '../../../src/adapters/adapter.ts';
import type { Subject } from '../lab.ts';
import { endOf, expectEnd, good, lab } from './case.ts';

/** An agent does what it may, and not what it may not, whatever its model wants. */
export function permissionCases(subject: Subject): void {
  const { permissions } = subject.adapter.capabilities;

  if (permissions.read !== 'none') readCase(subject);

  if (permissions.edit !== 'none') editCase(subject, permissions.edit);

  it('runs a command when it may do everything', async (test) => {
    const here = await lab(test, subject, {
      shell: [{ do: [{ shell: 'echo ran > ran.txt' }] }, { text: 'done' }],
    });
    const ran = await here.run('[[shell]] Run.', { permission: 'full', answer: 'allow' });
    expect(endOf(ran)).toEqual(good('done'));
    expect(fs.readFileSync(here.file('ran.txt'), 'utf8')).toBe('ran\n');
  });
}

function readCase(subject: Subject): void {
  it('cannot write when it may only read', async (test) => {
    const here = await lab(test, subject, ({ cwd }) => ({
      both: [
        {
          do: [
            { write: { path: `${cwd}/by-tool.txt`, content: 'no\n' } },
            { shell: `echo no > ${cwd}/by-shell.txt` },
          ],
        },
        { text: 'tried' },
      ],
    }));
    const ran = await here.run('[[both]] Look only.', { permission: 'read' });
    expectEnd(ran);
    expect(ran.error).toBeUndefined();
    expect(fs.readdirSync(here.cwd)).toEqual(['.git']);
    // Nothing was written because it was refused, not because nobody tried.
    const tried = here.model?.requests.flatMap(({ called, missing }) => [...called, ...missing]);
    expect(tried ?? ['write', 'shell']).toHaveLength(2);
  });
}

function editCase(subject: Subject, hold: Hold): void {
  it('does not leave the work tree when it may edit there', async (test) => {
    const here = await lab(test, subject, ({ home }) => ({
      out: [{ do: [{ write: { path: `${home}/out.txt`, content: 'out\n' } }] }, { text: 'tried' }],
      shell: [{ do: [{ shell: `echo out > ${home}/out.txt` }] }, { text: 'tried' }],
    }));
    // Who holds it by its tools alone does not promise what a command does.
    for (const name of hold === 'system' ? ['out', 'shell'] : ['out']) {
      const ran = await here.run(`[[${name}]] Leave.`, { permission: 'edit' });
      expectEnd(ran);
      expect(fs.existsSync(`${here.home}/out.txt`)).toBe(false);
    }
  });
}
