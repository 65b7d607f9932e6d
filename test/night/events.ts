import fs from 'node:fs';
import path from 'node:path';
import { pause } from '../support/kill-rounds.ts';
import type { NightProject } from './night-project.ts';
import type { NightShift } from './night-shift.ts';

/** What happens when so many calls were made. */
export type Blow = readonly [calls: number, strike: () => Promise<void>];

const lookMs = 20;
/** Whoever sees that docket does not end because of it makes room. */
const roomAfterMs = 90_000;

export interface Played {
  /** With which docket ended by itself, each time. */
  codes: (number | null)[];
  /** Blows that came too late for it. */
  missed: number;
  /** When the disk was full, by the night's clock. */
  full: { from: number; to: number };
}

/**
 * One night: docket is started again whenever it was struck, or has given up because of a full disk. That stays full until
 * docket has seen it, also if it was struck at the same moment.
 */
export async function played(
  shift: NightShift,
  project: NightProject,
  blows: readonly Blow[],
): Promise<Played> {
  const left = [...blows];
  const disk = new FullDisk(shift, project);
  const codes: (number | null)[] = [];
  for (;;) {
    const docket = shift.start('run', '--all', '--wait', '--concurrency', '4', '--json');
    const ended = () => docket.exitCode !== null || docket.signalCode !== null;
    for (; !ended(); await pause(lookMs)) {
      if (disk.isFull()) continue; // one thing after the other
      const [next] = left;
      if (!next || shift.calls() < next[0]) continue;
      await pause(Math.random() * 300);
      if (disk.isFull() || ended()) continue;
      left.shift();
      await next[1]();
    }
    if (docket.signalCode !== null) continue;
    codes.push(docket.exitCode);
    if (docket.exitCode !== 75) return { codes, missed: left.length, full: disk.times };
    disk.makeRoom();
  }
}

/** What the agent that fills it leaves there. */
class FullDisk {
  readonly #ballast: string;
  /** Says since when. */
  readonly #filling: string;
  readonly #now: () => number;
  #since = 0;
  readonly times = { from: Infinity, to: Infinity };

  constructor(shift: NightShift, project: NightProject) {
    this.#ballast = shift.at(path.join(project.disk, 'ballast'));
    this.#filling = path.join(project.night, 'filling');
    this.#now = () => project.clock.now();
  }

  /** It does not stay so for ever, if docket does not end. */
  isFull(): boolean {
    if (!fs.existsSync(this.#ballast)) return false;
    this.#since ||= Date.now();
    if (Date.now() - this.#since > roomAfterMs) this.makeRoom();
    return true;
  }

  makeRoom(): void {
    if (!fs.existsSync(this.#ballast)) return;
    fs.rmSync(this.#ballast);
    this.times.from = Number(fs.readFileSync(this.#filling, 'utf8'));
    this.times.to = this.#now();
  }
}
