import type { Explanation } from '../render/explain/types.ts';
import type { Task } from '../task/schema.ts';
import type { Status } from '../task/status.ts';
import { openDocket, type AddInput } from './docket.ts';
import type { ShownTask } from './explain/show.ts';
import type { Change } from './feed/feed.ts';
import type { RanTask, RunInput } from './run.ts';

/** The queue of one project, for programs: what the command line does, without its words. */
export interface LibraryDocket {
  /** The folder whose tasks these are. */
  readonly root: string;
  /** Queues a task, and answers when it is on disk. A text alone is a task without wishes. */
  add(input: string | AddInput): Promise<Task>;
  /** Takes no lock and writes nothing. Records that cannot be read are told to `warn`. */
  list(query?: { status?: readonly Status[] }): Promise<Task[]>;
  /** All about one task, of any layout, by its id or name. */
  show(task: string): Promise<ShownTask>;
  /** Works until nothing is left that could start now. Each task comes back as it ended. */
  run(options?: RunOptions): Promise<RanTask[]>;
  /** How a task came to be as it is, and what can be done now. */
  explain(task: string): Promise<Explanation>;
  /** Every change of tasks of every kind, whoever makes it: behind a position, or from now on. Writes nothing. */
  watch(options: { signal: AbortSignal; since?: string }): AsyncIterable<Change>;
  /** The position now. Whoever takes it, then lists tasks and then watches from it, misses nothing. */
  position(): Promise<string>;
  close(): Promise<void>;
}

/** `signal`: aborted, running work is ended and goes back into the queue. */
export type RunOptions = Omit<RunInput, 'signal'> & { signal?: AbortSignal };
export type RunProgress = Parameters<NonNullable<RunInput['onProgress']>>[0];

export interface OpenOptions {
  /** Used as it is. Absent: the nearest folder above the current one that has tasks or is a repository. */
  root?: string;
  /** Default: the process's own. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Hears what is no error and should be known. */
  warn?: (warning: string) => void;
}

/** Opens a project. Nothing is read or made before something is asked for. */
export async function open(options: OpenOptions = {}): Promise<LibraryDocket> {
  const { warn = () => undefined } = options;
  const docket = await openDocket({ cwd: process.cwd(), ...options });
  return {
    root: docket.root,
    add: (input) => docket.add(typeof input === 'string' ? { text: input } : input),
    async list(query = {}) {
      const { tasks, findings } = await docket.list(query);
      for (const { path, message, fix } of findings) warn(`${path}: ${message} (${fix})`);
      return tasks;
    },
    show: (task) => docket.show(task),
    run({ signal, ...input } = {}) {
      const stop = new AbortController();
      // The engine wants to hear why: a program that stops it means what Ctrl-C does.
      signal?.addEventListener('abort', () => stop.abort('shutdown'), { once: true });
      if (signal?.aborted) stop.abort('shutdown');
      return docket.run({ ...input, signal: stop.signal });
    },
    explain: (task) => docket.explain(task),
    watch: ({ signal, since }) => docket.watch(signal, since),
    position: () => docket.position(),
    close: () => docket.close(),
  };
}
