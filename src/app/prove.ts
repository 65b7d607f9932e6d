import type { Config } from '../config.ts';
import { Prover, type ProveOptions } from '../engine/prove.ts';
import type { Clock } from '../io/clock.ts';
import { shellWord } from '../render/shell-word.ts';
import type { Task } from '../task/schema.ts';
import { attemptLogs } from './logs/attempt-logs.ts';
import type { Source } from './logs/source.ts';

interface Project {
  root: string;
  clock: Clock;
  config: Config;
}

type About = Omit<ProveOptions, 'now' | 'root' | 'commands' | 'logs'> &
  Partial<Pick<ProveOptions, 'commands'>> & {
    /** The folder of its attempts. */
    attempts: Pick<Source, 'kind' | 'attempts'>;
  };

/** What proves a task, whatever its layout: its own commands and the project's. */
export function proverFor({ root, clock, config }: Project, { attempts, ...about }: About): Prover {
  return new Prover({
    root,
    now: () => clock.now(),
    commands: (task) => acceptanceCommands(task, config),
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

/** The one step of the last round that did the work, if nobody else did. */
export function onlyWorker({ run }: Task): string | undefined {
  const last = run?.steps.slice(run.rounds.at(-1)).filter(({ kind }) => kind !== 'human') ?? [];
  const [worker] = last;
  return last.length === 1 && worker?.kind === 'work' && !worker.sub ? worker.id : undefined;
}
