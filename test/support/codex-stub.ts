import fs from 'node:fs';
import path from 'node:path';
import { bin } from './child.ts';
import { until } from './project.ts';
import { scratch } from './scratch.ts';

/** What the stub wrote into its diary at its start. */
export interface Visit {
  event: 'start' | 'end';
  pid: number;
  mode: 'exec' | 'app-server';
  how: 'new' | 'resume' | 'fork';
  thread: string;
  /** The conversation that it went on with, or copied. */
  from?: string;
  home: string;
  model?: string;
  title?: string;
  prompt: string;
}

/** test/bin/codex-stub.mjs in the place of codex: how to call it, and what it was called for. */
export class CodexStub {
  readonly #diary = path.join(scratch(), 'diary.jsonl');

  get settings(): object {
    const env = { STUB_DIARY: this.#diary };
    return { adapter: 'codex', command: [bin('codex-stub.mjs')], env, limits: { graceSeconds: 1 } };
  }

  /** All its starts, or those for one subtask. */
  visits(title?: string): Visit[] {
    const starts = this.#entries().filter(({ event }) => event === 'start');
    return title === undefined ? starts : starts.filter((visit) => visit.title === title);
  }

  /** Waits until there were so many. */
  async started(count: number, title?: string): Promise<void> {
    await until(`${count} starts of ${title ?? 'codex'}`, () => this.visits(title).length >= count);
  }

  /** The greatest number that were alive at once. */
  mostAtOnce(): number {
    const alive = new Set<number>();
    const counts = this.#entries().map(({ event, pid }) => {
      if (event === 'start') alive.add(pid);
      else alive.delete(pid);
      return alive.size;
    });
    return Math.max(0, ...counts);
  }

  /** What `[[wait:name]]` waits for. */
  cue(name: string): void {
    fs.writeFileSync(path.join(path.dirname(this.#diary), name), '');
  }

  #entries(): Visit[] {
    const text = fs.existsSync(this.#diary) ? fs.readFileSync(this.#diary, 'utf8') : '';
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Visit);
  }
}
