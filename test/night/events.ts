import fs from 'node:fs';
import path from 'node:path';
import { pause } from '../support/kill-rounds.ts';
import type { NightProject } from './night-project.ts';
import type { NightShift } from './night-shift.ts';

/** What happens when so many calls were made. */
export type Blow = readonly [calls: number, strike: () => Promise<void>];

const lookMs = 20;
/** Whoever sees that the disk is full makes room. */
const roomAfterMs = 4000;

/**
 * One night: docket is started again whenever it was struck, or has given up because of a full disk. Returns with which
 * code it ended by itself each time.
 */
export async function played(
  shift: NightShift,
  project: NightProject,
  blows: readonly Blow[],
): Promise<(number | null)[]> {
  const left = [...blows];
  const ballast = shift.at(path.join(project.disk, 'ballast'));
  const isFull = () => fs.existsSync(ballast) && fs.existsSync(path.join(project.night, 'filled'));
  const codes: (number | null)[] = [];
  for (;;) {
    const docket = shift.start('run', '--all', '--wait', '--concurrency', '4', '--json');
    const ended = () => docket.exitCode !== null || docket.signalCode !== null;
    for (let full = 0; !ended(); await pause(lookMs)) {
      if (isFull()) {
        full += lookMs;
        if (full >= roomAfterMs) fs.rmSync(ballast);
        continue;
      }
      const [next] = left;
      if (!next || shift.calls() < next[0]) continue;
      left.shift();
      await pause(Math.random() * 300);
      await next[1]();
    }
    if (isFull()) fs.rmSync(ballast);
    if (docket.signalCode !== null) continue;
    codes.push(docket.exitCode);
    if (docket.exitCode !== 75) return codes;
  }
}
