import { expect, it } from 'vitest';
import { acceptanceFilesIn, haveScriptsChanged } from '../../src/gate/seen.ts';

it.each([
  ['node test/a.test.js', ['test/a.test.js', 'test/b.test.js'], ['test/a.test.js']],
  ['./check.sh --all', ['check.sh', 'a/check.sh'], ['check.sh']],
  ['cd web && pytest tests/unit', ['tests/unit/a.py', 'tests/b.py'], ['tests/unit/a.py']],
  ['eslint src', ['src/a.js'], []],
  ['make test', ['Makefile', 'src/a.c'], ['Makefile']],
  ['CI=1 npm test', ['package.json', 'web/package.json'], ['package.json']],
  ['cargo test', ['package.json', 'Makefile'], []],
  ['./gradlew check', ['build.gradle.kts'], ['build.gradle.kts']],
])('%s', (command, changed, expected) => {
  const found = acceptanceFilesIn([command], changed, (file) => file === 'package.json');
  expect(found).toEqual(expected.map((file) => ({ file, command })));
});

it.each([
  ['{"scripts":{"test":"a"}}', '{"scripts":{"test":"b"}}', true],
  ['{"scripts":{"test":"a"}}', '{"scripts":{"test":"a"},"dependencies":{"x":"1"}}', false],
  [undefined, '{"scripts":{"test":"a"}}', true],
  ['{}', 'no json', true],
])('scripts: %s and then %s', (before, now, expected) => {
  expect(haveScriptsChanged(before, now)).toBe(expected);
});
