import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { DocketError } from '../../errors.ts';
import type { AgentSide } from '../../project/for-agent/api.ts';
import { toFailure } from '../cli/frame/failure.ts';
import { callsPerMinute, changesPerMinute, mostAtOnce } from './limits.ts';
import type { Tool } from './tools.ts';

/** So many in a minute: a bucket that fills up again evenly. */
export class Pace {
  readonly #most: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(perMinute: number, now: () => number) {
    this.#most = perMinute;
    this.#now = now;
    this.#left = perMinute;
    this.#at = now();
  }

  /** Takes one, or says in how many seconds there is one. */
  take(): number {
    const now = this.#now();
    // A clock that was set back takes nothing away.
    this.#left = Math.min(this.#most, this.#left + (Math.max(0, now - this.#at) / 60_000) * this.#most);
    this.#at = now;
    if (this.#left >= 1) {
      this.#left -= 1;
      return 0;
    }
    return Math.ceil(((1 - this.#left) / this.#most) * 60);
  }
}

export interface DeskOptions {
  now: () => number;
  /** The project, for as long as one call takes: nothing stays open between two. */
  withSide: <T>(use: (side: AgentSide) => Promise<T>) => Promise<T>;
  /** What should never have happened, for the person who looks at stderr. */
  onBroken: (error: unknown) => void;
}

/** Answers calls of one connection: in their number, one after the other judged, and never with more than an error. */
export class CallDesk {
  readonly #options: DeskOptions;
  readonly #calls: Pace;
  readonly #changes: Pace;
  readonly #open = new Set<Promise<unknown>>();

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#calls = new Pace(callsPerMinute, options.now);
    this.#changes = new Pace(changesPerMinute, options.now);
  }

  async call(tool: Tool, input: unknown, signal: AbortSignal): Promise<CallToolResult> {
    try {
      this.#admit(tool);
      const parsed = parsedFor(tool, input);
      const answer = this.#options.withSide((side) => tool.run(side, parsed, signal));
      this.#open.add(answer);
      const value = await answer.finally(() => this.#open.delete(answer));
      return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
    } catch (error) {
      if (!(error instanceof DocketError)) this.#options.onBroken(error);
      return failed(error);
    }
  }

  /** Resolves when no call is under way. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }

  #admit({ name, changes }: Tool): void {
    const seconds = this.#calls.take() || (changes ? this.#changes.take() : 0);
    if (seconds > 0)
      throw new DocketError(
        'REFUSED',
        `too many calls of ${name}: ${callsPerMinute} in a minute, ${changesPerMinute} of them with changes`,
        `call again in ${seconds} seconds`,
        { retryAfterSeconds: seconds },
      );
    if (this.#open.size >= mostAtOnce)
      throw new DocketError(
        'REFUSED',
        `${mostAtOnce} calls are under way already`,
        'wait for their answers, then call again',
        { retryAfterSeconds: 1 },
      );
  }
}

function parsedFor({ name, input: schema }: Tool, input: unknown): unknown {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  const problems = error.issues.slice(0, 5).map(problemOf).join('; ');
  throw new DocketError(
    'INVALID',
    `${name}: ${problems}`,
    `correct it: tools/list has the schema of ${name}`,
    {},
  );
}

function problemOf({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.').slice(0, 80)}: ${message}`;
}

/** What, and what to do; never where in the program. */
function failed(error: unknown): CallToolResult {
  const { code, message, fix, data } = toFailure(error, false);
  const { retryAfterSeconds, key } = data;
  const more = {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(key !== undefined && { key }),
  };
  const text = JSON.stringify({
    error: { code, message: message.slice(0, 2000), fix: fix.slice(0, 2000), ...more },
  });
  return { isError: true, content: [{ type: 'text', text }] };
}
