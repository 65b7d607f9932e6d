import path from 'node:path';
import { expect, it } from 'vitest';
import { bin, ended, start } from '../support/child.ts';
import { sample } from '../support/kill-points.ts';
import { KilledQueue } from '../support/queue-kills.ts';
import { scratch } from '../support/scratch.ts';

/** The same switch as the store's: then every point has a process of its own, which takes an hour. */
const all = process.env['DOCKET_KILLS_PER_PROCESS'] === '1';
/** Otherwise so many of the appends to the journal, and of the other calls: other ones at each run. */
const most = { appends: 9, others: Number(process.env['DOCKET_KILL_POINTS'] ?? 13) };

it('a workflow comes to the same end wherever docket was killed', { timeout: 4 * 60 * 60_000 }, async () => {
  const dir = scratch();
  let count = 0;
  const made = () => new KilledQueue(path.join(dir, String((count += 1))));
  const reference = made();
  const points = (await died(reference)).out.trimEnd().split('\n');
  expect(reference.problems(reference, reference.journal())).toEqual([]);

  const isAppend = (point: string) => /^after write \S+journal\.jsonl /.test(point);
  const chosen = all
    ? points
    : [
        ...sample(points.filter(isAppend), most.appends),
        ...sample(
          points.filter((point) => !isAppend(point)),
          most.others,
        ),
      ];
  const failures: string[] = [];
  let deaths = 0;
  const waiting = [...chosen];
  const work = async (): Promise<void> => {
    for (let point = waiting.shift(); point !== undefined; point = waiting.shift()) {
      const queue = made();
      if ((await died(queue, point)).signal === 'SIGKILL') deaths += 1;
      const journal = queue.journal();
      const problems = await queue
        .finish()
        .then(() => queue.problems(reference, journal))
        .catch((error: unknown) => [String(error)]);
      if (problems.length > 0) failures.push(`${point}: ${problems.join('; ')}`);
      queue.remove();
    }
  };
  await Promise.all([work(), work(), work()]);
  console.log(`${points.length} points, ${deaths} deaths of ${chosen.length}, ${failures.length} failures`);
  expect(failures.slice(0, 10)).toEqual([]);
  // Two agents that end in the same moment share an append, so that a late point is not always passed.
  expect(deaths).toBeGreaterThan(chosen.length * 0.8);
  // Nine steps have this many lines and files to write: fewer points would mean that the probe is blind.
  expect(points.length).toBeGreaterThan(400);
});

function died({ root }: KilledQueue, point?: string) {
  const job = JSON.stringify({ root, ...(point !== undefined && { point }) });
  return ended(start(process.execPath, [bin('queue-crash.mjs'), job]));
}
