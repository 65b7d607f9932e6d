import fs from 'node:fs';
import path from 'node:path';
import { pause } from '../support/kill-rounds.ts';
import type { NightProject } from './night-project.ts';
import type { NightShift } from './night-shift.ts';

/** What happens when so many calls were made. */
export type Blow = readonly [calls: number, strike: () => Promise<void>];

const lookMs = 20;
/** Whoever sees that docket does not end because of it makes room. */
const roomAfterMs = 20_000;

export interface Played {
  /** With which docket ended by itself, each time. */
  codes: (number | null)[];
  /** When the disk was full, by the night's clock. */
  full: { from: number; to: number };
}

/** One night: docket is started again whenever it was struck, or has given up because of a full disk. */
export async function played(
  shift: NightShift,
  project: NightProject,
  blows: readonly Blow[],
): Promise<Played> {
  const left = [...blows];
  const ballast = shift.at(path.join(project.disk, 'ballast'));
  const codes: (number | null)[] = [];
  const full = { from: Infinity, to: Infinity };
  const makeRoom = (): void => {
    fs.rmSync(ballast);
    full.to = project.clock.now();
  };
  for (;;) {
    const docket = shift.start('run', '--all', '--wait', '--concurrency', '4', '--json');
    const ended = () => docket.exitCode !== null || docket.signalCode !== null;
    for (let waited = 0; !ended(); await pause(lookMs)) {
      if (fs.existsSync(ballast)) {
        full.from = Math.min(full.from, project.clock.now());
        waited += lookMs;
        if (waited >= roomAfterMs) makeRoom();
        continue;
      }
      const [next] = left;
      if (!next || shift.calls() < next[0]) continue;
      await pause(Math.random() * 300);
      if (fs.existsSync(ballast)) continue; // one thing after the other
      left.shift();
      await next[1]();
    }
    if (fs.existsSync(ballast)) makeRoom();
    if (docket.signalCode !== null) continue;
    codes.push(docket.exitCode);
    if (docket.exitCode !== 75) return { codes, full };
  }
}
