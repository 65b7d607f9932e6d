import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolderOf } from '../../src/io/process/temp-folder.ts';
import { scratch } from '../support/scratch.ts';
import { Accounts, attemptsIn, changedOver, type Said } from './accounts.ts';
import { played } from './events.ts';
import { NightProject } from './night-project.ts';
import { canMount, NightShift } from './night-shift.ts';
import { madeBy, metered, morningWith, order, plan, settings } from './plan.ts';
import { fateOf, linesIn, tasksOf } from './stand.ts';

it.runIf(canMount)('forty tasks of all layouts in a night of limits, crashes and a reboot', async () => {
  const project = new NightProject(scratch(), plan, settings);
  await order(project);
  const shift = await NightShift.begin(project);
  const dark = { from: 0, to: 0 };
  const reboot = async () => {
    dark.from = project.clock.now();
    await shift.loseAll();
    shift.boots();
    dark.to = project.clock.now();
  };
  const { codes, missed, full } = await played(shift, project, [
    [12, () => shift.kill()],
    [36, () => shift.kill()],
    [52, reboot],
  ]);

  const root = shift.at(project.root);
  const tasks = await tasksOf(root, project);
  const held = metered.filter((name) => tasks.get(name)?.status === 'blocked');
  expect(held).toHaveLength(2);
  const morning = morningWith(held);
  const found = [...tasks].map(([name, task]) => [name, fateOf(task, morning[name])] as const);
  expect(Object.fromEntries(found)).toEqual(morning);
  const why = (name: string) => {
    const task = tasks.get(name);
    return task?.status === 'blocked' ? task.reason.text : JSON.stringify(task?.run?.states);
  };
  for (const name of held)
    expect(why(name)).toMatch(/\$3\.00 of \$3\.00 .*docket budget set providers\.metered\.money/);
  expect(why('p02')).toContain('docs/escaped.txt');
  expect(fs.existsSync(path.join(root, 'docs/escaped.txt'))).toBe(false);
  expect(why('q16')).toContain('Which colour');
  expect(missed).toBe(0);
  expect([1, 5]).toContain(codes.at(-1)); // 5: people are needed, and it was an earlier docket that saw p02 fail
  expect(codes).toContain(75); // when the disk was full

  // Every call once: as the providers had it, as the book has it, as the journals have it.
  const diary = shift.diary();
  const called = diary.filter(({ event }) => event === 'call');
  const accounts = new Accounts(shift.at(project.env['DOCKET_STATE'] ?? ''));
  const tried = attemptsIn(root).filter(({ uncalled }) => !uncalled);
  const marks = called.map(({ mark }) => mark).toSorted();
  expect(new Set(marks).size).toBe(marks.length);
  // Some were ended on their way, when the disk was full: nobody knows that they never came.
  const inBook = Object.keys(accounts.calls).toSorted();
  const unheard = new Set(inBook.filter((mark) => !marks.includes(mark)));
  expect(inBook.filter((mark) => !unheard.has(mark))).toEqual(marks);
  expect([...unheard].filter((mark) => accounts.calls[mark]?.used?.untold !== 1)).toEqual([]);
  expect(tried.map(({ mark }) => mark).toSorted()).toEqual(inBook);
  expect(Object.values(accounts.calls).filter(({ used }) => !used)).toEqual([]);
  expect(accounts.faults).toEqual([]);

  // The weather was bad, and the providers were left alone.
  const heard = (provider: string, what: Said['what']) =>
    diary.filter((one) => one.provider === provider && one.what === what).length;
  expect(heard('metered', 'served')).toBe(3);
  expect(accounts.spent('metered')).toBe(3);
  for (const provider of ['anthropic', 'openai', 'google', 'metered'])
    expect(heard(provider, 'limit')).toBeGreaterThan(0);
  expect(heard('openai', 'outage')).toBeGreaterThan(3);
  expect(accounts.parked('anthropic')).toContain('limit told 1');
  expect(accounts.parked('google')).toContain('limit guessed 1');
  expect(accounts.parked('openai')).toContain('provider guessed 2');

  // The same conversation before and after each wait, and what was served is not asked for again.
  const ofMark = new Map(tried.map((one) => [one.mark, `${one.task} ${one.step} ${one.agent}`]));
  const changed = changedOver(diary, (mark) => ofMark.get(mark) ?? mark);
  expect(called.filter(({ how, words = 0 }) => how === 'resume' && words > 1000)).toEqual([]);
  const served = diary.filter(({ what }) => what === 'served').map(({ mark }) => ofMark.get(mark) ?? mark);
  const twice = served.filter((step, at) => served.indexOf(step) !== at);
  // What an agent says on a full disk is lost, and so is how it ended; the same when all processes are gone.
  const isVictim = (mark: string) =>
    [full, dark].some(({ from, to }) => {
      const began = Date.parse(accounts.calls[mark]?.at ?? '');
      return began <= to && (accounts.ended.get(mark) ?? Infinity) >= from;
    });
  const victims = new Set(
    marks
      .concat(...unheard)
      .filter(isVictim)
      .map((mark) => ofMark.get(mark)),
  );
  // Who said what is not true is told so, once and in the same conversation.
  const liar = called.filter(({ name }) => name === 'q15');
  const [itsStep = ''] = liar.map(({ mark }) => ofMark.get(mark) ?? mark);
  const isTold = twice.includes(itsStep) && new Set(liar.map(({ session }) => session)).size === 1;
  expect(isTold || victims.has(itsStep) ? [] : liar).toEqual([]);
  const again = [...changed, ...twice.filter((_, at) => at !== twice.indexOf(itsStep))];
  expect(again.filter((step) => !victims.has(step))).toEqual([]);
  expect([...unheard].filter((mark) => !victims.has(ofMark.get(mark)))).toEqual([]);
  expect(victims.size).toBeLessThan(12);

  // What was made is there, once; victims may have made it again.
  const stepOf = new Map(called.map(({ name, mark }) => [name, ofMark.get(mark)]));
  const made = madeBy(morning);
  const times = made.map(({ name, file }) => {
    const lines = linesIn(root, file, tasks.get(name)?.id);
    const isAgain = lines.length > 1 && victims.has(stepOf.get(name));
    return [name, ...(isAgain ? new Set(lines) : lines)];
  });
  expect(times).toEqual(made.map(({ name }) => [name, name]));

  // Nobody stays.
  expect(shift.leftovers()).toEqual([]);
  expect(shift.others()).toEqual([]);
  expect(marks.filter((mark) => fs.existsSync(tempFolderOf(mark)))).toEqual([]);
});
