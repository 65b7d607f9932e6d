import path from 'node:path';
import { expect, it } from 'vitest';
import { bin, ended, start } from '../support/child.ts';
import { sample } from '../support/kill-points.ts';
import { KilledPacket } from '../support/packet-kills.ts';
import { scratch } from '../support/scratch.ts';

/** The same switch as the store's: then every point has a process of its own, which takes minutes. */
const all = process.env['DOCKET_KILLS_PER_PROCESS'] === '1';
/** Otherwise all that brings changes into people's tree, and so many appends to the journal and other calls: other ones at each run. */
const most = { appends: 9, others: 8 };
const isAppend = (point: string) => /^after write \S+\/state\/docket\/journal\.jsonl /.test(point);
/** A file of people's tree, or the note that it is there. */
const isCarry = (point: string) => /\/root\/src\/|\/carry\/[^/]+\.jsonl/.test(point);

it(
  'finishes a packet wherever docket was killed, and pays for no stage twice',
  { timeout: 60 * 60_000 },
  async () => {
    const dir = scratch();
    let count = 0;
    const next = () => path.join(dir, `${(count += 1)}`);
    const made = await KilledPacket.made(next());
    const whole = new KilledPacket(next(), made);
    const { out } = await died(whole);
    const points = out.trimEnd().split('\n');
    const reference = whole.outcome();
    expect(whole.problems(reference, whole.journal())).toEqual([]);

    const failures: string[] = [];
    const missed: string[] = [];
    const rest = points.filter((point) => !isAppend(point) && !isCarry(point));
    const chosen = all
      ? points
      : [
          ...sample(points.filter(isAppend), most.appends),
          ...points.filter(isCarry),
          ...sample(rest, most.others),
        ];
    const waiting = [...chosen];
    const work = async (): Promise<void> => {
      for (let point = waiting.shift(); point !== undefined; point = waiting.shift()) {
        const packet = new KilledPacket(next(), made);
        const { signal } = await died(packet, point);
        if (signal !== 'SIGKILL') missed.push(point);
        const journal = packet.journal();
        const problems = await packet.finish().then(
          () => packet.problems(reference, journal),
          (error: unknown) => [String(error)],
        );
        if (problems.length > 0) failures.push(`${point}: ${problems.join('; ')}`);
        packet.remove();
      }
    };
    await Promise.all([work(), work(), work()]);
    console.log(
      `${points.length} points, ${chosen.length - missed.length} deaths of ${chosen.length}, ${failures.length} failures`,
    );
    expect(failures.slice(0, 10)).toEqual([]);
    // Files for people follow at their own pace, so that a late write of one is not always passed.
    expect(missed.filter(isAppend)).toEqual([]);
    expect(missed.length).toBeLessThan(chosen.length * 0.1);
    // Four stages have this many lines and files to write: fewer points would mean that the probe is blind.
    expect(points.length).toBeGreaterThan(400);
    expect(points.filter(isCarry).length).toBeGreaterThan(4);
  },
);

function died({ root, id, env }: KilledPacket, point?: string) {
  const job = JSON.stringify({
    root,
    id,
    command: { kind: 'packet' },
    ...(point !== undefined && { point }),
  });
  return ended(start(process.execPath, [bin('task-crash.mjs'), job], { env }));
}
