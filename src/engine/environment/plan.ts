import { createHash } from 'node:crypto';
import { DocketError } from '../../errors.ts';
import { bornAs } from '../../io/folders.ts';
import type { PortRange } from '../../io/process/ports.ts';
import type { OutputMask } from '../../io/process/process.ts';

type Variables = Readonly<Record<string, string>>;

/** A command for a shell, and how long it may take. */
export interface SetupCommand {
  run: string;
  seconds: number;
}

/** What a project wants to be there before anybody works, as its settings say. */
export interface EnvironmentPlan {
  /** What git ignores and a new workspace gets from the root; written as in `.gitignore`. */
  copy: readonly string[];
  /** Files, from where the work is done, without which nothing begins. */
  requires: readonly string[];
  /** Run once in each new workspace, in this order. */
  commands: readonly SetupCommand[];
  /** Run when a task with a workspace is over. */
  teardown: readonly SetupCommand[];
  /** Variables that each hold a port of the task's own. */
  ports: readonly string[];
  portRange: PortRange;
  /** Variables that each hold a folder which all workspaces share. Absolute. */
  caches: Variables;
  env: Variables;
}

/** Where a task is set up, and with what. */
export interface EnvironmentOptions {
  plan: EnvironmentPlan;
  root: string;
  /** Names the task among all of the root's: a safe file name. */
  key: string;
  /** Where the work is done. Asked when it is needed: it may be gone. */
  cwd: () => string;
  /** Absent: the work is done in place. */
  workspace?: { place: string; id: string };
  /** docket's own environment: of it the commands get what a gate's commands get. */
  env: Readonly<Record<string, string | undefined>>;
  /** The user's folder for what is no project's. */
  state: string | undefined;
  /** The command with which a person lets the task go on. */
  goOn: string;
  /** Takes secrets out of what commands print. */
  redact: (text: string) => string;
  mask?: OutputMask;
  /** Nobody vouches for the task: commands that run where its agents have been are held as they are. */
  low?: { /** They have been there already. */ touched: boolean };
  /** What went wrong where nothing can be held any more. */
  tell: (problem: string) => void;
  /** Commands were run: the work tree may have changed. */
  changed?: () => void;
}

/** Another list, or a workspace that was made anew, has another key: then it is done again. */
export function madeKey(cwd: string, list: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([bornAs(cwd), list]))
    .digest('hex')
    .slice(0, 32);
}

/** What the task's agents and commands get beside the usual. */
export function variablesOf(
  { plan, env }: Pick<EnvironmentOptions, 'plan' | 'env'>,
  leased: Readonly<Record<string, string | number>>,
): Record<string, string> {
  const own = Object.entries(plan.env).map(([name, value]) => [name, valueOf(name, value, env)]);
  const ports = Object.entries(leased).map(([name, port]) => [name, String(port)]);
  return Object.fromEntries([...own, ...Object.entries(plan.caches), ...ports]) as Record<string, string>;
}

function valueOf(name: string, value: string, env: EnvironmentOptions['env']): string {
  const from = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1];
  if (from === undefined) return value;
  const found = env[from];
  if (found !== undefined) return found;
  const message = `setup.env.${name} takes its value from $${from}, which is not set`;
  throw new DocketError('INVALID', message, `export ${from}, or write the value itself`, { name: from });
}
