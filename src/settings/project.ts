import type { Clock } from '../io/clock.ts';
import type { Masker } from '../render/masker.ts';
import type { KindName } from '../task/kind-names.ts';
import type { Task } from '../task/schema.ts';
import type { Config } from './config.ts';

/** The project that docket works for, as every part of docket is handed it. */
export interface Project {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  warn: (warning: string) => void;
  /** Rings the terminal in which somebody watches. Absent: nobody watches. */
  ring?: (sound: string) => void;
  /** Tells people what a run needs of them, while it goes on and at its end. Absent: nobody is told. See `withNotices`. */
  notify?: <T>(watched: Watched, run: () => Promise<T>) => Promise<T>;
}

/** The tasks of one kind that a run works on. */
export interface Watched {
  kind: KindName;
  config: Config;
  masking: Masker;
  look: () => Promise<readonly Task[]>;
}

/**
 * A run, and the people who hear what it needs of them. This wraps runs and does not listen to the feed, because events
 * cannot give what it promises: at the end of a run everything is told, also what an earlier run left that was killed.
 */
export function withNotices<T>(
  { notify }: Pick<Project, 'notify'>,
  watched: Watched,
  run: () => Promise<T>,
): Promise<T> {
  return notify ? notify(watched, run) : run();
}
