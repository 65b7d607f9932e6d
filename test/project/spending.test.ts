import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ownIdentity } from '../../src/io/identity.ts';
import { spending } from '../../src/project/money/spending.ts';
import { lookAtSpent } from '../../src/project/view/spent.ts';
import { ownProject } from '../../src/settings/project-id.ts';
import { encodeLine } from '../../src/store/codec.ts';
import { scratch } from '../support/scratch.ts';

const at = '2026-03-01T20:00:00.000Z';
const used = { calls: 1, tokens: 10, money: 0.5, seconds: 1 };

it('counts what can be read of the account book, and names the lines that cannot', async () => {
  const root = scratch();
  const dir = path.join(root, 'state', 'meter');
  const call = (mark: string) => {
    const about = { provider: 'p', agent: 'a', root, task: mark, step: 's' };
    return [
      encodeLine({ v: 1, at, type: 'reserved', mark, call: about }),
      encodeLine({ v: 1, at, type: 'settled', mark, used }),
    ];
  };
  fs.mkdirSync(dir, { recursive: true });
  const write = (name: string, lines: readonly string[]) =>
    fs.writeFileSync(path.join(dir, name), lines.join(''));
  write('book-2026-02-28.jsonl', [...call('one'), '{"v":1}\n']);
  write('book.jsonl', [...call('two'), 'spoilt\n', ...call('three'), 'half of a wri\n']);
  const warnings: string[] = [];
  const where = {
    root,
    env: { DOCKET_STATE: path.join(root, 'state') },
    clock: { now: () => Date.parse(at) },
    warn: (text: string) => void warnings.push(text),
  };
  const rows = await spending(where).cost({ by: 'task', everywhere: false });
  expect(rows.map(({ key }) => key).toSorted()).toEqual(['one', 'three', 'two']);
  expect(warnings).toEqual(
    ['book-2026-02-28.jsonl:3', 'book.jsonl:3'].map(
      (place) => `${path.join(dir, place)}: this line of the account book cannot be read, and is not counted`,
    ),
  );
});

it('says that a call is lost, not at work, when its docket is dead', async () => {
  const root = scratch();
  const dir = path.join(root, 'state', 'meter');
  fs.mkdirSync(dir, { recursive: true });
  const gone = { ...ownIdentity(), startTime: '1' };
  const call = (mark: string, by: object) =>
    encodeLine({
      v: 1,
      at,
      type: 'reserved',
      mark,
      call: { provider: 'p', agent: 'a', root, task: 't', step: 's', by },
    });
  fs.writeFileSync(path.join(dir, 'book.jsonl'), call('one', gone) + call('two', ownIdentity()));
  const where = {
    root,
    env: { DOCKET_STATE: path.join(root, 'state') },
    clock: { now: () => Date.parse(at) },
    warn: (text: string) => expect.fail(text),
  };
  const [row] = await spending(where).cost({ by: 'task', everywhere: false });
  expect(row).toMatchObject({ open: 1, lost: 1 });
  const { cost } = await lookAtSpent(where, undefined);
  expect([cost?.all, cost?.today]).toMatchObject([
    { open: 1, lost: 1 },
    { open: 1, lost: 1 },
  ]);
});

it('stays with a project that is moved, and with nobody else', async () => {
  const [folder, state] = [scratch(), scratch()];
  const root = path.join(folder, 'before');
  fs.mkdirSync(root);
  const here = ownProject(root);
  expect(ownProject(root)).toEqual(here);
  const call = (mark: string, of: object) =>
    encodeLine({ v: 1, at, type: 'reserved', mark, call: { provider: 'p', agent: 'a', task: mark, ...of } }) +
    encodeLine({ v: 1, at, type: 'settled', mark, used });
  fs.mkdirSync(path.join(state, 'meter'));
  const lines = call('mine', here) + call('another', { root: '/another' }) + call('older', { root });
  fs.writeFileSync(path.join(state, 'meter/book.jsonl'), lines);
  fs.writeFileSync(path.join(root, '.docket/config.yaml'), 'budgets: { day: { money: 1 } }\n');
  const looks = async (at: string) => {
    const clock = { now: () => Date.parse('2026-03-01T20:00:00.000Z') };
    const where = {
      root: at,
      env: { DOCKET_STATE: state },
      clock,
      warn: (text: string) => expect.fail(text),
    };
    const [day] = await spending(where).budgets();
    const rows = await spending(where).cost({ by: 'task', everywhere: false });
    const { cost } = await lookAtSpent(where, undefined);
    return { tasks: rows.map(({ key }) => key).toSorted(), used: day?.used, calls: cost?.all.calls };
  };
  expect(await looks(root)).toEqual({ tasks: ['mine', 'older'], used: 1, calls: 2 });
  fs.renameSync(root, path.join(folder, 'after'));
  // What a docket wrote that knew no names can only be found by its path.
  expect(await looks(path.join(folder, 'after'))).toEqual({ tasks: ['mine'], used: 0.5, calls: 1 });
});
