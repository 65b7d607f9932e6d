import type { Docket, compat, findRoot, openDocket, readText, validate } from '../../../project/docket.ts';

/** Everything a command touches outside itself. The process makes a real one, tests make their own. */
export interface World {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: Source;
  now(): number;
  /** Calls back every so many milliseconds, until the answer is called; it keeps no process alive. */
  every(ms: number, listener: () => void): () => void;
  /** Calls back when the process is told to end, as long as somebody listens; the second time it just ends. */
  onStop(listener: () => void): () => void;
  /** Loaded when a command asks for it: help and completion never do. */
  docket(): Promise<Facade>;
}

export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** Calls back when nobody reads it any more: what is written then goes nowhere. */
  onGone?(listener: () => void): void;
  /** When what was written has gone out: who answers many should not run ahead of who reads. */
  drained?(): Promise<void>;
}

export interface Source extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean;
  /** A terminal that can hand over keys as they are pressed. */
  setRawMode?(on: boolean): unknown;
  /** Gives it up, though more may come: who reads it is at its end. */
  destroy?(): unknown;
}

export interface Facade {
  readonly findRoot: typeof findRoot;
  readonly openDocket: typeof openDocket;
  readonly validate: typeof validate;
  readonly readText: typeof readText;
  readonly compat: typeof compat;
}

export type Finding = Awaited<ReturnType<typeof validate>>[number];
export type Found = Awaited<ReturnType<Docket['list']>>;
