import fs from 'node:fs';
import { expect, it } from 'vitest';
import { parsed } from '../../support/patient.ts';

it('every command that the doctor and docket init name is one that the command line takes', async () => {
  const folders = ['doctor', 'init'].map((name) => new URL(`../../../src/project/${name}/`, import.meta.url));
  const text = folders.flatMap((folder) =>
    fs.readdirSync(folder).map((name) => fs.readFileSync(new URL(name, folder), 'utf8')),
  );
  const lines = text.join('\n').match(/(?<=['`] ?)docket [a-z-]+[^'`\n]*/g) ?? [];
  expect(lines.length).toBeGreaterThan(10);
  const plain = lines.map((line) =>
    line.replaceAll(/\$\{[^}]*\}/g, 'x').replace(/ shows .*| commits .*/, ''),
  );
  for (const line of new Set(plain)) await parsed(line);
});
