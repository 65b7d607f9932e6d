import path from 'node:path';
import { messageOf } from '../../errors.ts';
import { command } from '../../errors/command.ts';
import { findProgram } from '../../io/find-program.ts';
import { packageRoot } from '../../io/package-root.ts';
import { startLine } from '../../io/shell-line.ts';
import { actorNamed, type Actor } from './actor.ts';
import { askPerson, giveWork, mendCaught, runAll, showResults } from './acts.ts';
import { envIn, fillScratch, makeScratch, ownPlaces, type Scratch } from './scratch.ts';
import { DemoFailed, Shell, type ShellOptions } from './shell.ts';

export interface DemoInput extends ShellOptions {
  /** Default: the scripted one. */
  readonly agent?: string;
  /** Where to make it; default: a folder for temporary files. */
  readonly dir?: string;
  /** Take everything away at the end. */
  readonly remove: boolean;
}

export interface DemoEnd {
  outcome: 'done' | 'failed' | 'stopped';
  /** What was not as it should be. */
  problem?: string;
  agent: string;
  folder: string;
  repository: string;
  kept: boolean;
  /** What a person types for docket here: its name, or where it is. */
  command: string;
  /** What docket needs in its environment to find what it kept of the demonstration. */
  env: Readonly<Record<string, string>>;
}

/** Plays it once. What failed stays, to be looked at; what somebody stopped half way is of no use to anybody. */
export async function playDemo(input: DemoInput): Promise<DemoEnd> {
  const scratch = makeScratch(input.env, input.dir === undefined ? undefined : path.resolve(input.dir));
  let kept = false;
  try {
    const actor = await actorNamed(input.agent, { root: scratch.folder, env: input.env });
    const { outcome, problem } = await played(input, scratch, actor);
    kept = outcome === 'failed' || (outcome === 'done' && !input.remove);
    const { folder, repository } = scratch;
    const env = actor.isScripted ? ownPlaces(folder) : {};
    const command = commandIn(input.env, folder);
    const about = { agent: actor.name, folder, repository, kept, command, env };
    return { outcome, ...(problem !== undefined && { problem }), ...about };
  } finally {
    if (!kept) scratch.remove();
  }
}

/** npm puts docket on the PATH only while it runs something. */
function commandIn(env: DemoInput['env'], cwd: string): string {
  const isLasting = env['npm_command'] === undefined && findProgram('docket', env, cwd) !== undefined;
  return isLasting ? 'docket' : path.join(packageRoot(), 'bin', 'docket');
}

async function played(
  input: DemoInput,
  scratch: Scratch,
  actor: Actor,
): Promise<Pick<DemoEnd, 'outcome' | 'problem'>> {
  const env = envIn(scratch, actor);
  try {
    await fillScratch(scratch, actor);
    await acts(new Shell(scratch.repository, { ...input, env }), actor);
    return { outcome: 'done' };
  } catch (error) {
    // Agents that a killed docket has left behind would go on without us.
    await startLine(String(command`ps --end-strays`), { cwd: scratch.repository, env, output: 'kept' }).ended;
    if (input.signal.aborted) return { outcome: 'stopped' };
    if (error instanceof DemoFailed) return { outcome: 'failed', problem: messageOf(error) };
    throw error;
  }
}

async function acts(shell: Shell, { isScripted, name }: Actor): Promise<void> {
  const who = isScripted ? 'a script plays the agent' : `the agent is ${name}`;
  shell.say(`Five tasks, and a foreman: ${who}, all else is real. Every command is one that you can type.`);
  const directory = await giveWork(shell);
  await askPerson(shell, directory, isScripted);
  await runAll(shell, isScripted);
  await mendCaught(shell, isScripted);
  await showResults(shell, directory);
}
