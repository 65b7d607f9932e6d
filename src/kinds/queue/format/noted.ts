import type { Json } from '../../../task/json.ts';
import type { BlockReason, Task } from '../../../task/schema.ts';

type Extras = Task['extras'];

/**
 * What docket notes about a task of the queue, in `extras.queueRun`: apart from what people say in its record
 * (`extras.queue`), because both change while it runs, and neither may undo the other.
 */
export interface Noted {
  /** The folder of its run below `.takt/runs`. */
  runSlug?: string;
  /** Where it is worked on: absolute, or absent for in place. */
  workspace?: string;
  branch?: string;
  /** The branch that it was made from, and the commit. */
  base?: string;
  baseCommit?: string;
  /** What docket committed last on the branch. */
  commit?: string;
  /** The branch is on this remote. */
  pushed?: string;
  prUrl?: string;
  /** The work is done, and could not be handed over. */
  deliveryError?: string;
  merged?: { into: string; commit: string };
  /** Where everything of its workspace was kept before it was deleted. */
  keptAs?: string;
  /** What it was when it was deleted, if it had not come to an end. */
  deletedFrom?: string;
  /** Why it was blocked then. */
  deletedBlock?: BlockReason;
  /** The step limit that it reached, and how many steps it took. */
  exceeded?: { max: number; at: number };
  /** The step with which its run came to an end: who puts it back after that is a person. */
  ended?: string;
  /** Steps that it may take, when a person has allowed more than its workflow does. */
  maxSteps?: number;
  /** Where a person wants it to go on, and what they say to it. */
  from?: string;
  note?: string;
}

/** Extras come from a journal that other tools can write: what makes no sense is left out. */
export function notedOf({ extras }: Pick<Task, 'extras'>): Noted {
  const found = extras['queueRun'] ?? {};
  const noted: Record<string, Json> = {};
  for (const [key, value] of Object.entries(found)) if (makesSense(key, value)) noted[key] = value;
  return noted;
}

/** The extras with these set (undefined: taken out), and nothing else: an edit of it leaves the record alone. */
export function withNoted(extras: Extras, set: { [K in keyof Noted]?: Noted[K] | undefined }): Extras {
  const entries = Object.entries({ ...notedOf({ extras }), ...set }).filter(
    ([, value]) => value !== undefined,
  );
  return { queueRun: Object.fromEntries(entries) as Record<string, Json> };
}

const texts: readonly string[] = [
  'runSlug',
  'workspace',
  'branch',
  'base',
  'baseCommit',
  'commit',
  'pushed',
  'prUrl',
  'deliveryError',
  'keptAs',
  'deletedFrom',
  'ended',
  'from',
  'note',
];

function makesSense(key: string, value: Json): boolean {
  if (texts.includes(key)) return typeof value === 'string' && value !== '';
  if (key === 'maxSteps') return isCount(value);
  const { into, commit, max, at, kind, text, who } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Record<string, Json>;
  if (key === 'deletedBlock')
    return [kind, text, who].every((part) => typeof part === 'string' && part !== '');
  if (key === 'merged') return typeof into === 'string' && typeof commit === 'string';
  return key === 'exceeded' && isCount(max) && isCount(at);
}

function isCount(value: Json | undefined): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
