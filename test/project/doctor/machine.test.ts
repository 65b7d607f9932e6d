import { expect, test } from 'vitest';
import { shellWord } from '../../../src/errors/shell-word.ts';
import { tempRoot } from '../../../src/io/machine.ts';
import { gitVersion, whenRefused } from '../../../src/project/doctor/git.ts';
import { identity, nodeVersion, opening, room } from '../../../src/project/doctor/machine.ts';

test.each([
  ['20.19.0', 'ok'],
  ['20.20.2', 'ok'],
  ['24.0.0', 'ok'],
  ['20.18.9', 'bad'],
  ['18.20.0', 'bad'],
])('Node %s is %s', (version, state) => {
  expect(nodeVersion(version, '>=20.19')).toMatchObject({ state });
});

test.each([
  ['git version 2.38.0', 'ok'],
  ['git version 3.0.0.windows.1', 'ok'],
  ['git version 2.37.4 (Apple Git-1)', 'warn'],
  ['something else', 'warn'],
])('%s is %s', (said, state) => {
  expect(gitVersion(said, process.env)).toMatchObject({ state });
});

test.each([
  [5e9, 'ok'],
  [500e6, 'warn'],
  [5e6, 'bad'],
])('%s bytes are %s', (free, state) => {
  expect(room('x', '/', free)).toMatchObject({ state });
});

test('a machine that does not say when a process began is told', () => {
  expect(identity({ startTime: '12', bootId: 'b' })).toMatchObject({ state: 'ok' });
  expect(identity({ startTime: '', bootId: 'b' })).toMatchObject({
    state: 'warn',
    command: expect.stringContaining('mount'),
  });
});

test('a name that somebody made up is one word of a command', () => {
  expect(shellWord("a'; rm -rf ~")).toBe(String.raw`'a'\''; rm -rf ~'`);
  expect(shellWord('codex@1')).toBe('codex@1');
});

test.each([
  ['mode', /^chmod u\+wx '\/a b'$/],
  ['owner', /chown -R "\$\(id -un\)" '\/a b'$/],
  ['read-only', /mount -o remount,rw /],
] as const)('a folder that is barred by its %s has a command of its own', (why, command) => {
  expect(opening({ folder: '/a b', why })).toMatch(command);
});

test.each([
  ['detected dubious ownership in repository at', 'git config --global --add safe.directory /r'],
  ['fatal: bad config line 3 in file /r/.git/config', '${EDITOR:-vi} +3 /r/.git/config'],
  ['fatal: something else', '${EDITOR:-vi} .git/config'],
])('git that refuses with "%s" is answered', (why, command) => {
  expect(whenRefused(why, '/r')).toMatchObject({ command });
});

test('room for temporary files is found elsewhere, that of the project by cleaning up', () => {
  expect(room('x', tempRoot(), 5e6)).toMatchObject({ command: expect.stringContaining('TMPDIR') });
  expect(room('x', '/', 5e6)).toMatchObject({ command: 'docket clean --older-than 14d' });
});
