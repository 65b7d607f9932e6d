import { attemptLogs, type AttemptFolder } from '../engine/attempt-logs.ts';
import { Prover } from '../engine/prove.ts';
import type { ProveOptions } from '../engine/proving.ts';
import { shellWord } from '../errors/shell-word.ts';
import type { Step } from '../task/run.ts';
import type { Task } from '../task/schema.ts';
import { commandRights } from './command-rights.ts';
import type { Config } from './config.ts';
import type { Project } from './project.ts';

type About = Omit<ProveOptions, 'now' | 'root' | 'commands' | 'logs' | 'rights'> &
  Partial<Pick<ProveOptions, 'commands'>> & {
    attempts: AttemptFolder;
  };

/** What proves a task, whatever its layout: its own commands and the project's. */
export function proverFor(
  { root, clock, config }: Pick<Project, 'root' | 'clock'> & { config: Config },
  { attempts, ...about }: About,
): Prover {
  return new Prover({
    root,
    now: () => clock.now(),
    commands: (task) => acceptanceCommands(task, config),
    rights: (task) => commandRights([task], config, root),
    logs: (task) => attemptLogs(attempts, task, {}),
    ...about,
  });
}

/** For a shell, each once: the task's own, then the project's. */
export function acceptanceCommands(task: Task, { acceptance = [] }: Pick<Config, 'acceptance'>): string[] {
  return [...new Set([...commandsOf(task), ...acceptance])];
}

/** The commands of a task that prove its work, for a shell. */
export function commandsOf({ spec }: Task): string[] {
  return (spec.acceptance?.commands ?? []).map(([program = '', ...words]) => {
    const [flag, line] = words;
    const isLine = program === 'sh' && flag === '-c' && words.length === 2 && line !== undefined;
    return isLine ? line : [program, ...words].map(shellWord).join(' '); // a line for the shell is one already
  });
}

/** The one step of the last round that did the work, if nobody else did; else the one whose report is not true. */
export function onlyWorker({ run }: Task, untrue: readonly string[] = []): string | undefined {
  const last = run?.steps.slice(run.rounds.at(-1)).filter(({ kind }) => kind !== 'human') ?? [];
  const [worker] = last.length === 1 ? last : last.filter(({ id }) => untrue.includes(id));
  const isOnly = last.length === 1 || untrue.length === 1;
  return isOnly && worker && isSessionWork(worker) ? worker.id : undefined;
}

/** The steps of the last round whose agents can be told more. */
export function lastWorkers({ run }: Task): string[] {
  return (run?.steps.slice(run.rounds.at(-1)) ?? []).filter(isSessionWork).map(({ id }) => id);
}

function isSessionWork({ kind, sub }: Step): boolean {
  return kind === 'work' && !sub;
}
