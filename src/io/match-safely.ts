import { Worker } from 'node:worker_threads';
import { DocketError, messageOf } from '../errors.ts';

interface Replacement {
  source: string;
  flags: string;
  replacement: string;
}

/** Says which pattern is on, so that the one that does not end can be named. */
const program = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ text, patterns }) => {
  try {
    patterns.forEach(({ source, flags, replacement }, at) => {
      parentPort.postMessage({ at });
      const everywhere = new RegExp(source, flags.includes('g') ? flags : flags + 'g');
      text = text.replace(everywhere, (found) => (found === '' ? '' : replacement));
    });
    parentPort.postMessage({ text });
  } catch (error) {
    parentPort.postMessage({ problem: String(error && error.message) });
  }
});`;

/** Until the first pattern is on: a busy machine is not the pattern's fault. */
const longestStart = 30_000;

type Message = { at: number } | { text: string } | { problem: string };

/**
 * Replaces by patterns that nobody has checked: they run in a thread of their own, which ends when one takes too long.
 * Every failure is an error, never the text as it was. The thread starts with the first call that needs it.
 */
export class SafeMatcher {
  readonly #limit: number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: { milliseconds?: number } = {}) {
    this.#limit = options.milliseconds ?? 2000;
  }

  /** One call after another: a pattern's time is its own. */
  replaceAll(text: string, patterns: readonly Replacement[]): Promise<string> {
    if (patterns.length === 0) return Promise.resolve(text);
    const result = this.#last.then(() => this.#run(text, patterns));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#stop();
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #run(text: string, patterns: readonly Replacement[]): Promise<string> {
    const worker = (this.#worker ??= new Worker(program, { eval: true, env: {}, execArgv: [] }));
    worker.ref();
    try {
      return await this.#answer(worker, text, patterns);
    } catch (error) {
      await this.#stop();
      throw error;
    } finally {
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      // Who forgets to close must not wait for ever.
      worker.unref();
    }
  }

  #answer(worker: Worker, text: string, patterns: readonly Replacement[]): Promise<string> {
    return new Promise((resolve, reject) => {
      let at = 0;
      let timer: NodeJS.Timeout | undefined;
      const fail = (why: string, cause?: unknown) => {
        clearTimeout(timer);
        reject(failure(patterns[at], why, cause));
      };
      // A message that came in the meantime is heard before the verdict: we may be the one that was busy.
      const watch = (limit: number) => {
        clearTimeout(timer);
        const mine = setTimeout(() => {
          setImmediate(() => timer === mine && fail(`takes more than ${limit} ms`));
        }, limit);
        timer = mine;
      };
      const settle = (message: Message) => {
        if ('at' in message) {
          at = message.at;
          watch(this.#limit);
          return;
        }
        clearTimeout(timer);
        if ('text' in message) resolve(message.text);
        else fail(`cannot be used: ${message.problem}`);
      };
      worker.on('message', settle);
      worker.once('error', (error) => fail(`cannot be used: ${messageOf(error)}`, error));
      worker.once('exit', () => fail('ended the thread that ran it'));
      watch(longestStart);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ text, patterns });
    });
  }
}

function failure(pattern: Replacement | undefined, why: string, cause: unknown): DocketError {
  const source = pattern?.source ?? '';
  return new DocketError(
    'INVALID',
    `the pattern ${JSON.stringify(source)} ${why}`,
    'write it without repetitions inside repetitions, such as (a+)+',
    { pattern: source },
    { cause },
  );
}
