import path from 'node:path';
import { expect, it } from 'vitest';
import { bin, ended, start } from '../support/child.ts';
import { sample } from '../support/kill-points.ts';
import { scratch } from '../support/scratch.ts';
import { answer, goOn, KilledTask, order, type Command } from '../support/task-kills.ts';

/** The same switch as the store's: then every point has a process of its own, which takes minutes. */
const all = process.env['DOCKET_KILLS_PER_PROCESS'] === '1';
/** Otherwise so many of the appends to the log, and of the other calls: other ones at each run. */
const most = { appends: 10, others: 10 };
const isAppend = ({ point }: Life) => /^after write \S+tasks\/[^/]+\/events\.jsonl /.test(point);

interface Life {
  command: Command;
  point: string;
  before: KilledTask;
}

it('comes to the same end wherever the controller was killed', { timeout: 60 * 60_000 }, async () => {
  const dir = scratch();
  let count = 0;
  const root = () => path.join(dir, `${(count += 1)}`);
  const made = new KilledTask(root(), '');
  const { id } = await made.use((tasks) => tasks.create({ title: 'Five things', topology: 'swarm' }));

  const lives: Life[] = [];
  let before = new KilledTask(made.root, id);
  for (const command of [order, answer, goOn]) {
    const after = new KilledTask(root(), id, before);
    const { out } = await died(after, command);
    const points = out.trimEnd().split('\n');
    for (const point of points) lives.push({ command, point, before });
    before = after;
  }
  const reference = before;
  expect(await reference.problems(reference, reference.log())).toEqual([]);

  const failures: string[] = [];
  const missed: string[] = [];
  const rest = lives.filter((life) => !isAppend(life));
  const chosen = all
    ? lives
    : [...sample(lives.filter(isAppend), most.appends), ...sample(rest, most.others)];
  const waiting = [...chosen];
  const work = async (): Promise<void> => {
    for (let life = waiting.shift(); life; life = waiting.shift()) {
      const { command, point } = life;
      const task = new KilledTask(root(), id, life.before);
      const { signal } = await died(task, command, point);
      if (signal !== 'SIGKILL') missed.push(`${command.kind}, ${point}`);
      const log = task.log();
      const problems = await task.finish().then(
        () => task.problems(reference, log),
        (error: unknown) => [String(error)],
      );
      if (problems.length > 0) failures.push(`${command.kind}, ${point}: ${problems.join('; ')}`);
      task.remove();
    }
  };
  await Promise.all([work(), work(), work()]);
  const deaths = chosen.length - missed.length;
  console.log(`${lives.length} points, ${deaths} deaths of ${chosen.length}, ${failures.length} failures`);
  if (missed.length > 0) console.log(`not reached:\n${missed.join('\n')}`);
  expect(failures.slice(0, 10)).toEqual([]);
  // Two agents that end in the same moment share an append, so that a late point is not always passed.
  expect(deaths).toBeGreaterThan(chosen.length * 0.75);
  // Five agents and a gate have this many lines and files to write: fewer points would mean that the probe is blind.
  expect(lives.length).toBeGreaterThan(400);
});

function died({ root, id }: KilledTask, command: Command, point?: string) {
  const job = JSON.stringify({ root, id, command, ...(point !== undefined && { point }) });
  return ended(start(process.execPath, [bin('task-crash.mjs'), job]));
}
