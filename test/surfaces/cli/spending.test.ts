import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ownIdentity } from '../../../src/io/identity.ts';
import { encodeLine } from '../../../src/store/codec.ts';
import type { Used } from '../../../src/task/used-schema.ts';
import { usedBy } from '../../../src/task/used.ts';
import { scratch } from '../../support/scratch.ts';
import { inFolder } from './real-world.ts';

/** What people are told after these calls. `open`: it is at work. */
async function told(calls: readonly (Used | 'open')[]) {
  const root = scratch();
  const book = path.join(process.env['DOCKET_STATE'] ?? '', 'meter', 'book.jsonl');
  const at = new Date().toISOString();
  const lines = calls.flatMap((used, n) => {
    const call = { provider: 'p', agent: 'a', root, task: 't', step: 's', by: ownIdentity() };
    const reserved = encodeLine({ v: 1, at, type: 'reserved', mark: `m${n}`, call });
    return used === 'open'
      ? [reserved]
      : [reserved, encodeLine({ v: 1, at, type: 'settled', mark: `m${n}`, used })];
  });
  fs.mkdirSync(path.dirname(book), { recursive: true });
  fs.writeFileSync(book, lines.join(''));
  fs.mkdirSync(path.join(root, '.docket'));
  fs.writeFileSync(path.join(root, '.docket/config.yaml'), 'budgets: { day: { money: 1, tokens: 900 } }\n');
  fs.mkdirSync(path.join(root, '.takt'));
  fs.writeFileSync(path.join(root, '.takt/tasks.yaml'), 'tasks: []\n');
  const lineOf = async (word: RegExp, ...argv: string[]) => {
    const { stdout } = await inFolder(root, argv);
    return stdout
      .split('\n')
      .find((line) => word.test(line))
      ?.trim()
      .replaceAll(/ {2,}/g, '  ');
  };
  return {
    cost: await lineOf(/^in all/, 'cost'),
    status: (await lineOf(/^ {2}cost/, 'status'))?.replace(/.*in all /, ''),
    money: await lineOf(/day\.money/, 'budget'),
    tokens: await lineOf(/day\.tokens/, 'budget'),
  };
}

const silent = usedBy(undefined, 1);
const whole = usedBy({ input: 100, output: 10, cost: 0.4 }, 1);

it('says what is unknown as unknown, and what is known in part as the least', async () => {
  expect(await told([silent])).toEqual({
    cost: 'in all  1 call  tokens not reported  cost not reported  1 without reported usage',
    status: 'cost not reported, 1 call, tokens not reported',
    money: 'day.money  unknown of $1.00  1 call did not tell its cost',
    tokens: 'day.tokens  unknown of 900  1 call did not tell its tokens',
  });
  expect(await told([whole, usedBy({ input: 5, output: 5 }, 1)])).toEqual({
    cost: 'in all  2 calls  120 tokens  at least $0.40',
    status: 'at least $0.40, 2 calls, 120 tokens',
    money: 'day.money  $0.40 of $1.00  1 call did not tell its cost',
    tokens: 'day.tokens  120 of 900',
  });
  expect(await told([whole, 'open'])).toMatchObject({
    cost: 'in all  2 calls  at least 110 tokens  at least $0.40  1 at work',
    status: 'at least $0.40, 2 calls, at least 110 tokens, 1 at work',
  });
  // A cap counts what nobody told as the most that a call has come to; docket cost does not.
  expect(await told([whole, silent])).toEqual({
    cost: 'in all  2 calls  at least 110 tokens  at least $0.40  1 without reported usage',
    status: 'at least $0.40, 2 calls, at least 110 tokens',
    money: 'day.money  $0.80 of $1.00  1 call did not tell its cost; $0.40 is assumed for what was not told',
    tokens: 'day.tokens  220 of 900  1 call did not tell its tokens; 110 is assumed for what was not told',
  });
  expect(await told([usedBy({ input: 0, output: 0, cost: 0 }, 1)])).toMatchObject({
    cost: 'in all  1 call  usage not reported  $0.00',
    status: '$0.00, 1 call, usage not reported',
  });
  expect(await told([whole])).toEqual({
    cost: 'in all  1 call  110 tokens  $0.40',
    status: '$0.40, 1 call, 110 tokens',
    money: 'day.money  $0.40 of $1.00',
    tokens: 'day.tokens  110 of 900',
  });
});
