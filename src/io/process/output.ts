import fs from 'node:fs';
import { plainStat, sizeOf } from '../plain-file.ts';
import type { Growth } from './lines.ts';
import { readEnd } from './log-files.ts';
import { places } from './supervisor.ts';

/** Not more often than this, however fast an agent writes. */
const shortestPauseMs = 5;
/** Not every file system tells of changes; where none does, this is how late we are. */
const pollMs = 1000;
const blindPollMs = 50;
const tailBytes = 64 * 1024;

/** Watches an attempt's folder: how much output there is and when it last grew. Tells whoever waits. */
export class Output implements Growth {
  ended = false;
  readonly #dir: string;
  readonly #maxBytes: number;
  readonly #onTooMuch: () => void;
  readonly #watcher: fs.FSWatcher | undefined;
  readonly #poll: NodeJS.Timeout;
  #soon: NodeJS.Timeout | undefined;
  #lookedAt = 0;
  #bytes = 0;
  #lastGrowth: number;
  #waiting: (() => void)[] = [];

  constructor(dir: string, maxBytes: number, onTooMuch: () => void) {
    this.#dir = dir;
    this.#maxBytes = maxBytes;
    this.#onTooMuch = onTooMuch;
    this.#lastGrowth = performance.now() - ageOf(dir);
    this.#bytes = bytesIn(dir);
    this.#watcher = watch(dir, () => this.#changed());
    this.#poll = setInterval(() => this.#look(), this.#watcher ? pollMs : blindPollMs);
  }

  get lastGrowth(): number {
    this.#measure(); // it may have been written a moment ago, and a stall is a hard verdict
    return this.#lastGrowth;
  }

  more(): Promise<void> {
    return this.ended ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Nothing will be written any more. */
  finish(): void {
    this.#measure();
    this.ended = true;
    this.#watcher?.close();
    clearInterval(this.#poll);
    clearTimeout(this.#soon);
    this.#wake();
  }

  stderrTail(): string {
    return readEnd(places(this.#dir).stderr, tailBytes);
  }

  #changed(): void {
    if (this.#soon !== undefined || this.ended) return;
    const pause = this.#lookedAt + shortestPauseMs - performance.now();
    if (pause <= 0) this.#look();
    else this.#soon = setTimeout(() => this.#look(), pause);
  }

  #look(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#lookedAt = performance.now();
    this.#measure();
    this.#wake();
    if (this.#bytes > this.#maxBytes) this.#onTooMuch();
  }

  #measure(): void {
    const bytes = bytesIn(this.#dir);
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    if (!this.ended) this.#lastGrowth = performance.now();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

function watch(dir: string, onChange: () => void): fs.FSWatcher | undefined {
  try {
    const watcher = fs.watch(dir, { persistent: false }, onChange);
    // The folder went, or the watch did: polling goes on.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined; // no watches left
  }
}

function bytesIn(dir: string): number {
  const { stdout, stderr } = places(dir);
  return sizeOf(stdout) + sizeOf(stderr);
}

/** How long ago output was written last, in milliseconds; a docket that comes later must not take it for new. */
function ageOf(dir: string): number {
  const { stdout, stderr } = places(dir);
  const times = [stdout, stderr].map((file) => plainStat(file)?.mtimeMs ?? 0);
  const latest = Math.max(...times);
  return latest === 0 ? 0 : Math.max(0, Date.now() - latest);
}
