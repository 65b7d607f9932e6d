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
  /** Tells people what a run needs of them, while it goes on and at its end. Absent: nobody is told. */
  notify?: <T>(watched: Watched, run: () => Promise<T>) => Promise<T>;
}

/** The tasks of one kind that a run works on. */
export interface Watched {
  kind: KindName;
  config: Config;
  masking: Masker;
  look: () => Promise<readonly Task[]>;
}
