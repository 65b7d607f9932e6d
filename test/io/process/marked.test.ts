import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { membersOf } from '../../../src/io/process/family.ts';
import { newMark } from '../../../src/io/process/mark.ts';
import { startProcess } from '../../../src/io/process/start.ts';
import { parsePs, processTable, psTable, valuesIn } from '../../../src/io/process/table.ts';
import { said, shell } from './support.ts';

const hasPs = canRun('ps', ['-p', String(process.pid)]);

function canRun(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('marks are unique, short and safe as a file name', () => {
  const marks = new Set(Array.from({ length: 10_000 }, newMark));
  expect(marks.size).toBe(10_000);
  expect([...marks].filter((mark) => !/^[a-z0-9]{13}$/.test(mark))).toEqual([]);
});

test.each([
  ['A=b\0DOCKET_MARK=one\0', ['one']],
  ['DOCKET_MARK=one', ['one']],
  ['DOCKET_MARK=one\0DOCKET_MARK=two\0', ['one', 'two']],
  ['MY_DOCKET_MARK=one\0A=DOCKET_MARK=one\0DOCKET_MARKS=one\0', []],
  ['A= DOCKET_MARK=one\0', []],
  ['', []],
])('the marks of %j', (environ, marks) => {
  expect(valuesIn(Buffer.from(environ), 'DOCKET_MARK')).toEqual(marks);
});

test('zombies do not count', async () => {
  const spec = shell('sleep 0 & echo up; exec sleep 100');
  const child = await startProcess(spec);
  await said(child, 'up');
  const names = () => membersOf({ mark: spec.mark, watched: false, since: 0 }, processTable()).length;
  // The supervisor and `sleep 100`, which does not care about its dead child.
  while (names() > 2) await new Promise(setImmediate);
  expect(names()).toBe(2);
  await child.stop('canceled');
});

test.runIf(hasPs)('ps finds the same family where there is no /proc', async () => {
  const spec = shell('setsid sleep 100 & echo up; exec sleep 101');
  const child = await startProcess(spec);
  await said(child, 'up');
  const family = { mark: spec.mark, watched: false, since: 0 };
  const pids = (table = psTable()) => new Set(membersOf(family, table).map(({ pid }) => pid));
  expect(pids()).toEqual(pids(processTable()));
  expect(pids().size).toBe(3);
  await child.stop('canceled');
  expect(pids()).toEqual(new Set());
});

test('what ps prints', () => {
  const rows = parsePs(
    [
      '    1     0     1 Ss       0   9000 1-00:00:02 ?        /sbin/init',
      '   42     1    42 S     1000    712    1:02.50 ??       sleep 9 PATH=/bin DOCKET_MARK=one HOME=/x',
      '   43    42    42 Z     1000      0   00:00:00 ?        [sleep] <defunct>',
      '   44    42    42 R+    1001   1024   01:00:00 pts/3    sleep DOCKET_MARK=one',
      'rubbish',
    ].join('\n'),
    1000,
  );
  expect(rows.map(({ pid, parent, group }) => [pid, parent, group])).toEqual([
    [1, 0, 1],
    [42, 1, 42],
    [44, 42, 42],
  ]);
  expect(rows.map(({ cpuMs }) => cpuMs)).toEqual([86_402_000, 62_500, 3_600_000]);
  expect(rows.map(({ hasTerminal }) => hasTerminal)).toEqual([false, false, true]);
  expect(rows[1]?.rssBytes()).toBe(712 * 1024);
  expect(rows.map((row) => row.hasMark('one'))).toEqual([false, true, true]);
  expect(rows.map((row) => row.hasMark('on'))).toEqual([false, false, false]);
  expect(membersOf({ mark: 'one', watched: false, since: 0 }, rows).map(({ pid }) => pid)).toEqual([42]);
});
