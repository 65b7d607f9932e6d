import fs from 'node:fs';
import { expect, it } from 'vitest';
import { parsed } from '../../support/patient.ts';

const sources = new URL('../../../src/', import.meta.url);
const text = fs
  .readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => fs.readFileSync(new URL(name, sources), 'utf8'))
  .join('\n');

it('every command that a fix, the doctor or docket init names is one that the command line takes', async () => {
  const named = [...text.matchAll(/(?<!`)\bcommand`([a-z][^`]+)`/g)].map(([, line = '']) =>
    line.replaceAll(/\$\{[^}]*\}|<[a-z]+>/g, 'x'),
  );
  const lines = new Set(named);
  lines.delete('packet x x'); // its verb is a value
  expect(lines.size).toBeGreaterThan(80);
  const refused: string[] = [];
  for (const line of lines)
    await parsed(`docket ${line}`).catch((error: Error) => {
      // A sentence may name a command without what it is about: `docket merge does so too`.
      if (!error.message.startsWith(`docket ${line} needs <`)) refused.push(error.message);
    });
  expect(refused).toEqual([]);
});
