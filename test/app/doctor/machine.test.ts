import { expect, test } from 'vitest';
import { word } from '../../../src/app/doctor/check.ts';
import { gitVersion } from '../../../src/app/doctor/git.ts';
import { identity, nodeVersion, room } from '../../../src/app/doctor/machine.ts';

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
  expect(gitVersion(said)).toMatchObject({ state });
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
  expect(identity({ startTime: '', bootId: 'b' })).toMatchObject({ state: 'warn' });
});

test('a name that somebody made up is one word of a command', () => {
  expect(word("a'; rm -rf ~")).toBe(String.raw`'a'\''; rm -rf ~'`);
  expect(word('codex@1')).toBe('codex@1');
});
