import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Listed {
  file: string;
  tests: readonly string[];
  mutants: readonly { name: string; from: string; to: string }[];
}

it('every mutation of npm run test:mutants still fits the source', () => {
  const list = JSON.parse(fs.readFileSync(path.join(root, 'test/mutants.json'), 'utf8')) as Listed[];
  const all = list.flatMap(({ mutants, ...where }) => mutants.map((one) => ({ ...where, ...one })));
  const wrong = all.filter(({ file, from, to, tests }) => {
    const times = fs.readFileSync(path.join(root, file), 'utf8').split(from).length - 1;
    return times !== 1 || from === to || !tests.every((test) => fs.existsSync(path.join(root, test)));
  });
  expect(wrong.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
