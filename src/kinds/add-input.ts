import type { Clock } from '../io/clock.ts';
import type { Spec } from '../task/schema.ts';

export interface AddInput {
  /** The work, in the person's words; the first line becomes the title. Empty where an issue or the board has the words. */
  text: string;
  /** Read this issue of the repository's GitHub project. */
  issue?: number;
  /** The same issue as JSON, and where that comes from. */
  issueJson?: { text: string; source: string };
  /** A task of the board that it does: `T-12`. */
  from?: string;
  /** A packet of this intent does it. */
  packet?: string;
  /** Name of the entry; made from the text when absent. */
  name?: string;
  /** Let the agent propose the slug. */
  agentSlug?: boolean;
  workflow?: string;
  startStep?: string;
  /** In a workspace of its own: where docket wants, or at this path from the root. */
  worktree?: true | string;
  branch?: string;
  base?: string;
  autoPr?: boolean;
  draftPr?: boolean;
  /** Who does it. */
  agent?: string;
  /** An agent asks for it, under this name: the words are not a person's. */
  asker?: string;
  /** Files to copy into the task's folder: absolute. */
  attach?: readonly string[];
  priority?: number;
  /** What it may use at the most. */
  budget?: NonNullable<Spec['budget']>;
  /** Ids or names of the tasks that must be done first. */
  needs?: readonly string[];
  /** The same key adds one task, however often the command is repeated. */
  key?: string;
  /** Kept with the key: what it was used for. */
  digest?: string;
  /** Also when another task for the same issue or branch waits or runs. */
  again?: boolean;
}

export interface AddPlaces {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  warn: (warning: string) => void;
}
