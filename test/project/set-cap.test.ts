import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { setCap } from '../../src/project/money/set-cap.ts';
import { scratch } from '../support/scratch.ts';

async function after(text: string, ...sets: [key: string, value: number | null][]): Promise<string> {
  const file = path.join(scratch(), 'config.yaml');
  fs.writeFileSync(file, text);
  for (const [key, value] of sets) await setCap(file, key, value);
  return fs.readFileSync(file, 'utf8');
}

const mine = '# mine\nagents:\n  a: {adapter: command,   command: [./agent.sh]}   # odd  spacing\n';

it.each([
  ['into no settings', '', 'budgets:\n  day:\n    money: 5\n'],
  ['behind a comment', '# mine', '# mine\nbudgets:\n  day:\n    money: 5\n'],
  ['behind others', mine, `${mine}budgets:\n  day:\n    money: 5\n`],
  [
    'beside a scope',
    `budgets:\n    run: {calls: 3}   # few\n${mine}`,
    `budgets:\n    run: {calls: 3}   # few\n    day:\n      money: 5\n${mine}`,
  ],
  [
    'in the place of another',
    `budgets:\n  day:\n    money: 3   # a lot\n${mine}`,
    `budgets:\n  day:\n    money: 5   # a lot\n${mine}`,
  ],
  ['in braces', `budgets: {day: {calls: 9}}\n${mine}`, `budgets: {day: {calls: 9, money: 5}}\n${mine}`],
])('a cap is written %s, and no other line is touched', async (_, text, wanted) => {
  expect(await after(text, ['day.money', 5])).toBe(wanted);
});

it.each([
  ['with what it leaves empty', `${mine}budgets:\n  day:\n    money: 5\n`, mine],
  [
    'alone',
    `budgets:\n  day: # each\n    calls: 9\n    money: 5\n`,
    'budgets:\n  day: # each\n    calls: 9\n',
  ],
  ['that was the only setting', '# mine\nbudgets: { day: { money: 5 } }\n', '# mine\n'],
  ['that is not there', mine, mine],
])('a cap is taken away %s', async (_, text, wanted) => {
  expect(await after(text, ['day.money', null])).toBe(wanted);
});

it('says so where a cap is only lent', async () => {
  const text = 'budgets:\n  run: &caps { money: 9 }\n  day: *caps\n';
  await expect(after(text, ['day.money', null])).rejects.toThrow('an alias');
});

it('writes all of it anew where it cannot be patched', async () => {
  expect(await after('? budgets\n: run: {calls: 3}\n', ['day.money', 5])).toMatch(/day:\s+money: 5/);
});
