import { describe, expect, it } from 'vitest';
import { schedule, type Job, type TaskSource } from '../../src/engine/scheduler.ts';

const never = new AbortController().signal;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** Tasks that take a moment each; `log` has what began and ended, in order. */
class Source implements TaskSource {
  readonly log: string[];
  readonly about: { rank?: number; isLeft?: boolean; inTree?: boolean; fails?: string };
  readonly #left: string[];

  constructor(log: string[], tasks: readonly string[], about: Source['about'] = {}) {
    this.log = log;
    this.about = about;
    this.#left = [...tasks];
  }

  async first() {
    const { rank = 0, isLeft = false } = this.about;
    return this.#left.length > 0 ? { rank, isLeft } : undefined;
  }

  async claim({ slots, isTreeFree }: { slots: number; isTreeFree: boolean }): Promise<Job[]> {
    const { inTree = false } = this.about;
    if (inTree && !isTreeFree) return [];
    const names = this.#left.splice(0, inTree ? 1 : slots);
    return names.map((name) => ({ inTree, work: () => this.#work(name) }));
  }

  async #work(name: string): Promise<void> {
    this.log.push(`+${name}`);
    await pause();
    this.log.push(`-${name}`);
    if (this.about.fails === name) throw new Error(name);
  }
}

const run = (sources: TaskSource[], slots = 9) => schedule({ sources, slots: () => slots, signal: never });

describe('the scheduler', () => {
  it('has no more jobs at once than there are slots, over all sources', async () => {
    const log: string[] = [];
    await run([new Source(log, ['a', 'b', 'c']), new Source(log, ['x', 'y'])], 2);
    let busy = 0;
    const most = Math.max(...log.map((line) => (busy += line.startsWith('+') ? 1 : -1)));
    expect([most, busy, log.length]).toEqual([2, 0, 10]);
  });

  it('begins with the smallest rank', async () => {
    const log: string[] = [];
    await run([new Source(log, ['late'], { rank: 2 }), new Source(log, ['early'], { rank: 1 })], 1);
    expect(log).toEqual(['+early', '-early', '+late', '-late']);
  });

  it('lets one job at a time into the tree, whatever its source, and others beside it', async () => {
    const log: string[] = [];
    const inTree = true;
    await run([
      new Source(log, ['a', 'b'], { inTree }),
      new Source(log, ['x', 'y'], { inTree }),
      new Source(log, ['apart']),
    ]);
    const alone = log.filter((line) => !line.endsWith('apart'));
    expect(alone.map((line) => line[0]).join('')).toBe('+-+-+-+-');
    expect(log.slice(0, 2)).toContain('+apart');
  });

  it('adopts what was left in the tree before it lets another job in', async () => {
    const log: string[] = [];
    const inTree = true;
    const left = new Source(log, ['left'], { inTree, isLeft: true, rank: 9 });
    await run([new Source(log, ['new'], { inTree }), left]);
    expect(log).toEqual(['+left', '-left', '+new', '-new']);
  });

  it('keeps the tree while what was left there cannot be claimed', async () => {
    const log: string[] = [];
    let looks = 0;
    const stuck: TaskSource = {
      first: async () => ({ isLeft: (looks += 1) < 3, rank: 0 }),
      claim: async () => [],
      waits: async () => looks < 3,
      news: pause,
    };
    await run([stuck, new Source(log, ['new'], { inTree: true })]);
    expect([looks >= 3, log]).toEqual([true, ['+new', '-new']]);
  });

  it('throws a fault when the others are done, and begins nothing more', async () => {
    const log: string[] = [];
    const source = new Source(log, ['bad', 'good', 'never'], { fails: 'bad' });
    await expect(run([source], 2)).rejects.toThrow('bad');
    expect(log.toSorted()).toEqual(['+bad', '+good', '-bad', '-good']);
  });

  it('tells faults and goes on, where it runs until the signal', async () => {
    const log: string[] = [];
    const stop = new AbortController();
    const told: unknown[] = [];
    const source: TaskSource = new Source(log, ['bad', 'good'], { fails: 'bad' });
    source.news = async (signal) => {
      if (log.includes('-good')) stop.abort();
      if (!signal.aborted) await pause();
    };
    const forever = (fault: unknown) => void told.push(fault);
    await schedule({ sources: [source], slots: () => 2, signal: stop.signal, forever });
    expect([told.length, log.length]).toEqual([1, 4]);
  });

  it('goes on while something waits, and ends when nothing could start', async () => {
    const log: string[] = [];
    let looks = 0;
    const late = new Source(log, ['at last']);
    const source: TaskSource = {
      claim: async (room) => ((looks += 1) < 4 ? [] : late.claim(room)),
      waits: async () => looks < 4,
      news: pause,
    };
    await run([source], 1);
    expect([looks, log]).toEqual([5, ['+at last', '-at last']]);
  });
});
