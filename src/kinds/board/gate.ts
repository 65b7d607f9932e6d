import path from 'node:path';
import { type CommandResult, runCommands } from '../../gate/commands.ts';
import { judge, judgeCommands, verifyCommandsOf } from '../../gate/policy.ts';
import { sizeAndInode } from '../../io/files.ts';
import { placeInside } from '../../io/inside.ts';
import { bestLockKind, lockWithin, openMutex } from '../../io/lock.ts';
import { tempRoot } from '../../io/machine.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { OutputMask } from '../../io/process/process.ts';
import { wordsAsReport } from '../../report/classify-fields.ts';
import type { Report } from '../../report/schema.ts';
import { commandRights } from '../../settings/command-rights.ts';
import { maskingFor } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Task } from '../../task/schema.ts';
import type { Gated } from './apply.ts';
import type { Locale } from './format/intent.ts';
import type { AcceptancePolicy } from './format/policy-file.ts';
import { folderOf, readProjects } from './projects.ts';

export interface GateOptions {
  where: Project;
  /** docket's own folder of the board. */
  dir: string;
  policy: AcceptancePolicy;
  /** Whose work is judged. */
  taskId: string;
  /** The folder of the work; default: that of the task's project. */
  cwd?: string;
  /** Whose work it is: the commands are held as their agents are. */
  tasks: readonly Task[];
  /** Absent: what the settings say. */
  mask?: OutputMask;
  /** Keeps what the commands came to. */
  watched?: (
    shown: number,
    run: (outputBytes: number) => Promise<CommandResult[]>,
  ) => Promise<CommandResult[]>;
  signal: AbortSignal;
}

const longestMs = 10 * 60_000;
const keptOutput = 8 * 1024;

/**
 * The one gate on every way to done: what the report says in its fields, then the commands of that role, which docket runs
 * itself. It is asked before the board is locked, because commands take their time.
 */
export async function gated(
  role: string,
  report: Report | string,
  locale: Locale,
  options: GateOptions,
): Promise<Gated & { reasonCode: string }> {
  const { policy } = options;
  const judged = typeof report === 'string' ? wordsAsReport(report, 'success') : report;
  let judgement = judge(policy, role, judged, fileFinder(options.where.root, options));
  const commands = judgement.ok ? verifyCommandsOf(policy, role) : [];
  if (commands.length > 0) judgement = judgeCommands(judgement, commands, await verified(commands, options));
  const { ok, reasonCode, evidence } = judgement;
  const reason = judgement.reason[locale];
  if (ok) return { verdict: { kind: 'pass', evidence: [...evidence] }, reason, reasonCode };
  const text = [judged.summary.slice(0, 500), reason].filter((part) => part !== '').join(' | ');
  return { verdict: { kind: 'hold', reason: { kind: 'verify', text, who: role } }, reason, reasonCode };
}

/** In the task's own folder, and one at a time: who begins ends what an earlier docket left running there. */
async function verified(
  commands: readonly string[],
  { where, dir, taskId, cwd, signal, tasks, mask: given, watched }: GateOptions,
): Promise<CommandResult[]> {
  const config = await readConfig(where.root, where.env);
  const mask = given ?? maskingFor(where, config);
  const folder = makeOwnFolder(dir, 'verify');
  const mutex = openMutex(path.join(folder, `${taskId}.lock`), bestLockKind());
  try {
    await lockWithin(mutex, longestMs);
    const about = {
      cwd: cwd ?? folderOf(where.root, taskId),
      env: where.env,
      dir: path.join(folder, taskId),
      timeoutMs: longestMs,
      signal,
      mask,
      ...commandRights(tasks, config, where.root),
    };
    const run = (outputBytes: number) => runCommands(commands, { ...about, outputBytes });
    return await (watched ? watched(keptOutput, run) : run(keptOutput));
  } finally {
    mutex.close();
  }
}

/**
 * Finds files that a report names: below the task's folder, the board's root, or the folder for temporary files. Other
 * places are not looked at, so that a report cannot be used to find out what else is on the machine.
 */
function fileFinder(
  root: string,
  { taskId, cwd }: { taskId: string; cwd?: string },
): (named: string) => boolean {
  const project = readProjects(root).find(({ taskIds }) => taskIds.includes(taskId))?.path;
  const folders = [...new Set([cwd ?? project ?? root, root])];
  return (named) => {
    const file = named.replace(/(?:#L\d+.*|:\d+(?::\d+)?(?:-\d+)?)$/, '');
    return folders.some((folder) =>
      [folder, root, tempRoot()].some((base) => exists(base, path.resolve(folder, file))),
    );
  };
}

/** A path that leads elsewhere, or that cannot be looked at, is as good as absent. */
function exists(base: string, file: string): boolean {
  try {
    return sizeAndInode(placeInside(base, file)) !== undefined;
  } catch {
    return false;
  }
}
