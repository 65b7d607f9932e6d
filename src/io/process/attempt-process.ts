import type { Writable } from 'node:stream';
import { DocketError } from '../../errors.ts';
import { sleep } from '../clock.ts';
import { ioError } from '../io-error.ts';
import { writePlain } from '../plain-file.ts';
import { Ending } from './ending.ts';
import type { Family } from './family.ts';
import { longestLine, readLines } from './lines.ts';
import { Output } from './output.ts';
import type { AgentProcess, Exit, Limits, Line, StopReason } from './process.ts';
import { places, recordedCode } from './supervisor.ts';
import { type TreeUse, useOf } from './table.ts';
import { removeTempFolder } from './temp-folder.ts';

/** Our end of an agent's stdin, where it is open at all. */
class Input {
  readonly #stream: Writable | undefined;
  #failure: Error | undefined;

  constructor(stream: Writable | undefined) {
    this.#stream = stream;
    // An agent may end while we write: whoever sent that text gets the error, nobody else.
    stream?.on('error', (error) => (this.#failure = error));
  }

  send(text: string): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined) return Promise.reject(closed('its stdin is not ours to write to'));
    if (this.#failure) return Promise.reject(closed(this.#failure.message));
    return new Promise((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(closed(error.message, error)) : resolve()));
    });
  }

  end(): void {
    this.#stream?.end();
  }

  /** The process has ended: what it did not read, nobody will. */
  close(): void {
    this.#stream?.destroy();
  }
}

function closed(why: string, cause?: Error): DocketError {
  return new DocketError(
    'IO',
    `the agent no longer reads: ${why}`,
    'wait for its end and start another turn',
    {},
    { cause },
  );
}

const defaults = {
  maxLineBytes: longestLine,
  maxOutputBytes: 1024 ** 3,
  maxOutputLines: 2_000_000,
  graceMs: 5000,
};
const orphanPollMs = 100;

interface Parts {
  adopted: boolean;
  dir: string;
  family: Family;
  /** Resolves when the supervisor has ended, with its exit code if it told us one. */
  supervisor: (output: Output) => Promise<number | undefined>;
  input?: Writable;
  tempFolder?: string;
  limits: Limits;
}

/** A process from the moment it runs, or was found, until nothing of it is left. */
export class AttemptProcess implements AgentProcess {
  readonly adopted: boolean;
  readonly exited: Promise<Exit>;
  readonly #parts: Parts;
  readonly #limits: Required<Limits>;
  readonly #output: Output;
  readonly #ending: Ending;
  readonly #input: Input;
  /** Resolves with its code when the agent itself has ended; others of its family may still run. */
  readonly #agent: Promise<number | undefined>;
  #hasEnded = false;
  #stopReason: StopReason | undefined;
  #interrupted = false;
  #stopping: Promise<void> | undefined;
  #failed: (error: unknown) => void = () => undefined;
  /** Why what is on disk may not be all. */
  #loss: Error | undefined;

  constructor(parts: Parts) {
    this.adopted = parts.adopted;
    this.#parts = parts;
    const { maxLineBytes, maxOutputBytes, maxOutputLines, graceMs } = { ...defaults, ...parts.limits };
    this.#limits = { maxLineBytes, maxOutputBytes, maxOutputLines, graceMs };
    this.#ending = new Ending(parts.family);
    this.#input = new Input(parts.input);
    this.#output = new Output(parts.dir, this.#limits.maxOutputBytes, () => void this.#tooMuch());
    this.#agent = this.#agentEnd();
    const failure = new Promise<never>((_, reject) => (this.#failed = reject));
    this.exited = Promise.race([this.#end(), failure]).finally(() => this.#output.finish());
    this.exited.catch(() => undefined); // whoever waits for it gets the error; nobody need wait
  }

  async *lines(): AsyncGenerator<Line> {
    let lines = 0;
    for await (const line of readLines(
      places(this.#parts.dir).stdout,
      this.#limits.maxLineBytes,
      this.#output,
    )) {
      // Every line costs time, however short: a gigabyte of newlines would take hours.
      if ((lines += 1) > this.#limits.maxOutputLines) {
        await this.#tooMuch();
        throw tooManyLines(this.#limits.maxOutputLines, this.#parts.dir);
      }
      yield line;
    }
    await this.exited;
    if (this.#loss) throw this.#loss;
  }

  send(text: string): Promise<void> {
    return this.#input.send(text);
  }

  endInput(): void {
    this.#input.end();
  }

  stderrTail(): string {
    return this.#output.stderrTail();
  }

  lastOutput(): number {
    return this.#output.lastGrowth;
  }

  async use(): Promise<TreeUse> {
    return useOf(await this.#ending.members());
  }

  async interrupt(): Promise<() => void> {
    if (!this.#hasEnded && (await this.#ending.interrupt())) this.#interrupted = true;
    return () => (this.#interrupted = false);
  }

  isStopping(): boolean {
    return this.#stopReason !== undefined || this.#interrupted;
  }

  async stop(reason: StopReason): Promise<Exit> {
    if (!this.#hasEnded && this.#stopping === undefined) {
      this.#stopReason = reason;
      const { graceMs } = this.#limits;
      // One that floods the disk would go on doing so.
      this.#stopping = this.#ending.stop(
        reason === 'output' ? Math.min(graceMs, 1000) : graceMs,
        this.#agent,
      );
      this.#stopping.catch(this.#failed);
    }
    return this.exited;
  }

  async #end(): Promise<Exit> {
    const code = await this.#agent;
    this.#hasEnded = true;
    const { signaled } = this.#ending;
    const interrupted = this.#interrupted;
    this.#input.close();
    await this.#stopping;
    await this.#ending.sweep();
    if (code !== undefined) this.#record(code);
    if (this.#parts.tempFolder !== undefined) await removeTempFolder(this.#parts.tempFolder);
    const stopped = (signaled ? this.#stopReason : undefined) ?? (interrupted ? 'stall' : undefined);
    return { ...(code !== undefined && { code }), ...(stopped && { stopped }) };
  }

  async #agentEnd(): Promise<number | undefined> {
    const told = await this.#parts.supervisor(this.#output);
    const code = told ?? recordedCode(this.#parts.dir);
    // Nobody is left to see its end but we, and we cannot learn its code.
    if (code === undefined) while (await this.#ending.runs()) await sleep(orphanPollMs);
    return code;
  }

  async #tooMuch(): Promise<void> {
    await this.stop('output').catch(() => undefined); // `exited` tells
  }

  /** The supervisor could not write it, so output may be missing too. Try once more, for a docket that comes later. */
  #record(code: number): void {
    const { dir } = this.#parts;
    if (recordedCode(dir) !== undefined) return;
    const { exit } = places(dir);
    try {
      writePlain(exit, `{"code":${code}}\n`);
    } catch (error) {
      this.#loss = ioError(error, 'keep the output in', dir);
    }
  }
}

/** Also where the process has ended already: half of its output must not pass for all of it. */
function tooManyLines(most: number, dir: string): DocketError {
  return new DocketError(
    'REFUSED',
    `the agent wrote more than ${most.toLocaleString('en-US')} lines`,
    `see what it printed in ${places(dir).stdout}, and make it print less`,
    { path: places(dir).stdout, problem: 'output' },
  );
}
