import { DocketError } from '../../errors.ts';
import { dispatch } from './dispatch.ts';
import type { Sink, World } from './frame/world.ts';

/** Ties the command line to the real process: its streams, its signals, its end. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const guarded = new Map<NodeJS.WriteStream, Sink>();
  const guard = (stream: NodeJS.WriteStream): Sink => {
    const known = guarded.get(stream) ?? guardStream(stream);
    guarded.set(stream, known);
    return known;
  };
  // The streams are made when first used: each costs start-up time.
  const world: World = {
    argv,
    env: process.env,
    get cwd() {
      return currentFolder();
    },
    get stdout() {
      return guard(process.stdout);
    },
    get stderr() {
      return guard(process.stderr);
    },
    get stdin() {
      return process.stdin;
    },
    now: Date.now,
    every: (ms, listener) => {
      const timer = setInterval(listener, ms).unref();
      return () => clearInterval(timer);
    },
    onStop,
    docket: () => import('../../project/docket.ts'),
  };
  for (const signal of stopSignals) process.on(signal, stopProcess);
  // Not process.exit: what is still on its way into a pipe must arrive.
  process.exitCode = await dispatch(world);
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let listeners: (() => void)[] = [];

function onStop(listener: () => void): () => void {
  listeners.push(listener);
  return () => {
    listeners = listeners.filter((other) => other !== listener);
  };
}

/** Once: whoever has work to end is asked to. A person who asks twice does not want to wait. */
function stopProcess(): void {
  const asked = listeners;
  listeners = [];
  if (asked.length === 0) process.exit(130);
  for (const listener of asked) listener();
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new DocketError(
      'NOT_FOUND',
      'the current folder no longer exists',
      'cd to another one',
      {},
      { cause },
    );
  }
}

/**
 * A reader that left (`docket list | head`) is no error: the rest of the output is dropped, the work goes on, and
 * the exit code is the command's. Any other failure to write is told, because the answer did not arrive.
 */
function guardStream(stream: NodeJS.WriteStream): Sink {
  let gone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    gone = true;
    if (error.code === 'EPIPE') return;
    if (stream === process.stdout) process.stderr.write(`error: cannot write the output: ${error.message}\n`);
    process.exitCode = 1;
    process.once('exit', () => (process.exitCode = 1));
  });
  return {
    write: (text) => gone || stream.write(text),
    isTTY: stream.isTTY,
    // As they are now: a window can be made larger and smaller.
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    onGone: (listener) => stream.on('error', listener),
    drained: () =>
      new Promise((resolve) => {
        if (gone || !stream.writableNeedDrain) return resolve();
        stream.once('drain', resolve).once('error', resolve);
      }),
  };
}
