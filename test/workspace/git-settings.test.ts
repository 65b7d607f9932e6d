import { expect, it } from 'vitest';
import { changedKeys } from '../../src/workspace/git-settings.ts';

const before = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.invalid/a.git\n';

it.each([
  ['a remote', '[remote "origin"]\n\tpushurl = https://evil.invalid', 'remote.origin.pushurl'],
  ['hooks', '[CORE]\n\tHooksPath = /evil', 'core.hookspath'],
  ['a filter', '[filter "x"] clean = evil', 'filter.x.clean'],
  ['another file', '[include]\n\tpath = /evil', 'include.path'],
  ['a setting without a value', '[core]\n\tfsmonitor', 'core.fsmonitor'],
  ['a section behind another on its line', '[branch "x"] [core]\n\thooksPath = /evil', 'core.hookspath'],
  [
    'a section after a comment that seems to go on',
    '[branch "x"]\n\ta = b # \\\n[core]\n\thooksPath = /evil',
    'core.hookspath',
  ],
  [
    'a section after a quoted comment',
    '[branch "x"]\n\ta = "# \\\\"\n[core]\n\thooksPath = /evil',
    'core.hookspath',
  ],
  [
    'a section in the old spelling',
    '[branch.x]\n\ta = b\n[url.https://evil.invalid/]',
    'what git cannot read',
  ],
  ['a command of a section that is idle else', '[gc]\n\trecentObjectsHook = evil', 'gc.recentobjectshook'],
  ['what git cannot read', '[branch "x"]\n\t= b', 'what git cannot read'],
])('sees %s', (_, added, key) => {
  expect(changedKeys(before, `${before}${added}\n`)).toEqual([key]);
  expect(changedKeys(`${before}${added}\n`, before)).toEqual([key]);
});

it.each([
  ['git push -u', '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main'],
  ['a name', '[user]\n\tname = "Ann # 1"\n[pull]\n\trebase = true'],
  ['a comment', '# [core] hooksPath = x\n; y'],
  ['a value over two lines', '[branch "x"]\n\tdescription = one \\\n[core]'],
  ['what the program of GitHub notes', '[remote "origin"]\n\tgh-resolved = base'],
])('leaves alone %s', (_, added) => {
  expect(changedKeys(before, `${before}${added}\n`)).toEqual([]);
});

it('sees another value and one that is gone, and no other order of sections or line ends', () => {
  expect(changedKeys(before, before.replace('a.git', 'b.git'))).toEqual(['remote.origin.url']);
  expect(changedKeys(before, '[core]\n\tbare = false\n')).toEqual(['remote.origin.url']);
  const [core = '', remote = ''] = before.split(/(?=\[remote)/);
  expect(changedKeys(before, `${remote}${core}`.replaceAll('\n', '\r\n'))).toEqual([]);
});
