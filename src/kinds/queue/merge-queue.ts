import { DocketError } from '../../errors.ts';
import type { CommandResult } from '../../gate/commands.ts';
import { commandsOf } from '../../settings/prove.ts';
import type { Task } from '../../task/schema.ts';
import { branchesOf } from '../../workspace/branch.ts';
import {
  assertLandable,
  commitTree,
  isAncestor,
  mergedTree,
  moveBranch,
  treeOfCommit,
} from '../../workspace/merge.ts';
import { ownOf } from './format/record.ts';

export interface Candidate {
  task: Task;
  /** The commit that is to be merged. */
  commit: string;
  /** Files with edits by hand in its workspace: committed for this merge, or only seen by a dry run. */
  edits: string[];
}

export type Outcome =
  | { state: 'merged' | 'already' | 'fits'; commit: string }
  /** `together`: those that landed before it and with which it conflicts; none: with the branch as it was. */
  | { state: 'conflict'; files: string[]; told: string; together: Task[] }
  | { state: 'rejected'; failures: CommandResult[]; together: Task[] }
  | { state: 'refused'; error: DocketError };

export interface Line {
  root: string;
  into: string;
  squash: boolean;
  dryRun: boolean;
  /** The commit of a task that is to be merged. */
  resolve: (task: Task) => Promise<Omit<Candidate, 'task'>>;
  /** For whatever is merged. */
  commands: readonly string[];
  /** `tasks`: whose work is merged there. */
  test: (commit: string, commands: readonly string[], tasks: readonly Task[]) => Promise<CommandResult[]>;
  tell: (text: string) => void;
  /** Called before the next is looked at: what has landed must be written down first. */
  ended: (candidate: Candidate, outcome: Outcome) => Promise<void>;
}

const mostTries = 5;

/**
 * Merges one after the other, each tested on top of those before it: what fails there is the fault of the one that came
 * last, also where it fails only together with an earlier one. What cannot land is left out, and the rest goes on.
 */
export async function mergeInOrder(tasks: readonly Task[], line: Line): Promise<void> {
  const { root, into } = line;
  const start = (await branchesOf(root)).commits.get(into);
  if (start === undefined)
    throw new DocketError('NOT_FOUND', `there is no branch "${into}"`, 'name another with --into', { into });
  const state: State = { start, virtual: start, landed: [] };
  for (const task of tasks) {
    const candidate: Candidate = { task, commit: '', edits: [] };
    const outcome = await tried(candidate, state, line);
    if (outcome.state === 'merged' || outcome.state === 'fits') state.landed.push(candidate);
    await line.ended(candidate, outcome);
  }
}

interface State {
  /** What the branch stood at when we came. */
  start: string;
  /** What it would stand at: a dry run moves nothing. */
  virtual: string;
  landed: Candidate[];
}

async function tried(candidate: Candidate, state: State, line: Line): Promise<Outcome> {
  const { root, into, dryRun } = line;
  const { task } = candidate;
  try {
    Object.assign(candidate, await line.resolve(task));
    // They are in no commit yet, so that nothing more is known of them.
    const isEdited = dryRun && candidate.edits.length > 0;
    const theirs = candidate.commit;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const tip = dryRun ? state.virtual : ((await branchesOf(root)).commits.get(into) ?? state.start);
      const there = { state: isEdited ? ('fits' as const) : ('already' as const), commit: tip };
      if (await isAncestor(root, theirs, tip)) return there;
      const merged = await mergedTree(root, tip, theirs);
      if ('files' in merged)
        return { state: 'conflict', ...merged, together: await clashing(candidate, state, line) };
      // Squashed before, or done twice: there is nothing left of it.
      if (merged.tree === (await treeOfCommit(root, tip))) return there;
      const to = await mergeCommit(tip, merged.tree, candidate, line);
      await assertLandable(root, { branch: into, from: tip, to });
      if (dryRun) {
        state.virtual = to;
        return { state: 'fits', commit: to };
      }
      if (tries === 0) line.tell(`${ownOf(task).name}: merging into ${into}`);
      const failures = await tests(to, candidate, state, line);
      if (failures.length > 0) return await blamed(failures, tip, candidate, state, line);
      const reason = `merge ${ownOf(task).name}`;
      if ((await moveBranch(root, { branch: into, from: tip, to, reason })) === 'moved')
        return { state: 'merged', commit: to };
    }
    throw new DocketError('CONFLICT', `"${into}" moved ${mostTries} times meanwhile`, 'try again', { into });
  } catch (error) {
    if (error instanceof DocketError) return { state: 'refused', error };
    throw error;
  }
}

/** Which of those that landed before it are why it conflicts, where it fits the branch as it was when we came. */
async function clashing(candidate: Candidate, { start, landed }: State, line: Line): Promise<Task[]> {
  const { root } = line;
  if (landed.length === 0 || 'files' in (await mergedTree(root, start, candidate.commit))) return [];
  for (const other of landed) {
    const merged = await mergedTree(root, start, other.commit);
    if ('files' in merged) continue;
    const at = await mergeCommit(start, merged.tree, other, line);
    if ('files' in (await mergedTree(root, at, candidate.commit))) return [other.task];
  }
  return landed.map(({ task }) => task);
}

function tests(commit: string, { task }: Candidate, { landed }: State, line: Line): Promise<CommandResult[]> {
  const tasks = [...landed.map((one) => one.task), task];
  return line.test(commit, [...new Set([...line.commands, ...tasks.flatMap(commandsOf)])], tasks);
}

/** Whose fault it is: of the branch as it was, of this one alone, or of this one together with an earlier one. */
async function blamed(
  failures: CommandResult[],
  tip: string,
  candidate: Candidate,
  state: State,
  line: Line,
): Promise<Outcome> {
  const { root, into } = line;
  const name = ownOf(candidate.task).name;
  const own = commandsOf(candidate.task);
  const common = failures.map(({ command }) => command).filter((command) => !own.includes(command));
  line.tell(`${name}: ${failures.length} commands fail; looking for the culprit`);
  const tasksOf = (some: readonly Candidate[]) => some.map(({ task }) => task);
  const before = await line.test(tip, common, tasksOf(state.landed));
  if (common.length > 0 && common.length === failures.length && before.length === failures.length) {
    const message = `"${into}" itself fails ${before.map(({ command }) => command).join(', ')}`;
    throw new DocketError('REFUSED', message, `mend ${into} first: this is no fault of ${name}`, { into });
  }
  const wrong = failures.map(({ command }) => command);
  const failsWith = async (others: readonly Candidate[]): Promise<boolean> => {
    let at = state.start;
    for (const one of [...others, candidate]) {
      const merged = await mergedTree(root, at, one.commit);
      if ('files' in merged) return false;
      at = await mergeCommit(at, merged.tree, one, line);
    }
    return (await line.test(at, wrong, tasksOf([...others, candidate]))).length > 0;
  };
  if (state.landed.length === 0 || (await failsWith([])))
    return { state: 'rejected', failures, together: [] };
  for (const other of state.landed)
    if (await failsWith([other])) return { state: 'rejected', failures, together: [other.task] };
  return { state: 'rejected', failures, together: state.landed.map(({ task }) => task) };
}

function mergeCommit(tip: string, tree: string, { task, commit }: Candidate, line: Line): Promise<string> {
  const { name } = ownOf(task);
  const about = `${task.title}\n\nTask ${task.id}\n`;
  return commitTree(line.root, {
    tree,
    parents: line.squash ? [tip] : [tip, commit],
    message: line.squash ? `docket: ${name}\n\n${about}` : `Merge task ${name} into ${line.into}\n\n${about}`,
  });
}
