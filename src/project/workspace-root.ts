import path from 'node:path';
import { DocketError } from '../errors.ts';
import { systemClock } from '../io/clock.ts';
import { exists, realFolder } from '../io/links.ts';
import { notedOf } from '../kinds/queue/format/record.ts';
import { queueStore } from '../kinds/queue/store.ts';
import { isAgent } from '../settings/caller.ts';
import { markedPlace } from '../workspace/marker.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface OwnerOfWorkspace {
  root: string;
  task: string;
}

/**
 * The project and the task of the workspace that a folder lies in. All that lies in one is its task's, a repository that an
 * agent made there too: a project of its own would be deleted with it.
 */
export async function projectOf(cwd: string, env: Env): Promise<OwnerOfWorkspace | undefined> {
  const at = realFolder(cwd);
  const project = byPlace(at) ?? (await byMarker(at, env));
  if (project && isAgent(env) && !exists(journalOf(project.root))) throw unreachable(project);
  return project;
}

/** Where docket makes them, the path says it, and nobody who works there can say anything else: the outermost counts. */
function byPlace(at: string): OwnerOfWorkspace | undefined {
  const [, root, task] = /^(.*?)\/\.docket\/queue\/clones\/([^/]+)(?:\/|$)/.exec(at) ?? [];
  return root === undefined || task === undefined ? undefined : { root: root || '/', task };
}

/**
 * Anywhere else the workspace says whose it is, and whoever works there can write that: it counts only if the journal of that
 * project names the same folder, and not for a project that lies in there.
 */
async function byMarker(at: string, env: Env): Promise<OwnerOfWorkspace | undefined> {
  for (let place = at; ; place = path.dirname(place)) {
    const marked = markedPlace(place);
    if (marked) {
      const { root, task } = marked;
      if (!isBelow(place, root) && (await isKnown(marked, place, env))) return { root, task };
      if (isAgent(env)) throw unreachable(marked);
    }
    if (place === path.dirname(place)) return undefined;
  }
}

const isBelow = (folder: string, file: string): boolean => `${file}/`.startsWith(`${folder}/`);

async function isKnown({ root, task }: OwnerOfWorkspace, place: string, env: Env): Promise<boolean> {
  if (!exists(journalOf(root))) return false;
  const dir = path.join(root, '.docket', 'queue');
  const { tasks } = await queueStore({ root, dir, env, clock: systemClock }).readTasks({});
  const found = tasks.find(({ id }) => id === task);
  const { workspace } = found ? notedOf(found) : {};
  return workspace !== undefined && exists(workspace) && realFolder(workspace) === place;
}

const journalOf = (root: string): string => path.join(root, '.docket', 'queue', 'journal.jsonl');

/** A queue that begins anew here would be seen by nobody. */
function unreachable({ root, task }: OwnerOfWorkspace): DocketError {
  return new DocketError(
    'NO_ACCESS',
    `this is the workspace of task ${task}, and its project ${root} cannot be reached from here: this agent runs in a sandbox, or it is another's`,
    'say what you found in your report: a person takes it from there',
    { root, task },
  );
}
