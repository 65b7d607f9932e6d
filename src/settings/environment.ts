import path from 'node:path';
import { makeEnvironment } from '../engine/environment/environment.ts';
import type { EnvironmentOptions, EnvironmentPlan, SetupCommand } from '../engine/environment/plan.ts';
import type { TaskEnvironment } from '../engine/run-workflow.ts';
import { stateFolder } from '../io/own-places.ts';
import { usualPorts } from '../io/process/ports.ts';
import { literally } from '../render/known-secrets.ts';
import { redact } from '../render/redact.ts';
import type { KindName } from '../task/kind-names.ts';
import type { Task } from '../task/schema.ts';
import { isLow } from '../task/trust.ts';
import type { Config } from './config.ts';
import { knownSecrets, maskingFor } from './masking.ts';
import type { Project } from './project.ts';

type Configured = Pick<Project, 'root' | 'env'> & { config: Config };

export interface EnvironmentWish extends Pick<
  EnvironmentOptions,
  'cwd' | 'goOn' | 'tell' | 'workspace' | 'changed'
> {
  task: Task;
  layout: KindName;
  id: string;
}

/** What a project's settings want to be there before somebody works on a task. Undefined: nothing. */
export function environmentFor(
  project: Configured & Pick<Project, 'clock'>,
  about: EnvironmentWish,
): TaskEnvironment | undefined {
  const options = environmentOptions(project, about);
  return options && makeEnvironment(options, () => project.clock.now());
}

export function environmentOptions(
  { root, env, config }: Configured,
  { layout, id, task, ...about }: EnvironmentWish,
): EnvironmentOptions | undefined {
  const { setup } = config;
  if (!setup || Object.keys(setup).length === 0) return undefined;
  let known: RegExp[] | undefined; // looked for when something is printed: most of the time nothing is
  return {
    ...about,
    plan: planOf(setup, root, env['HOME']),
    root,
    key: environmentKey(layout, id),
    env,
    state: stateFolder(env),
    mask: maskingFor({ root, env }, config),
    ...(isLow(task) && { low: { touched: Object.keys(task.attempts ?? {}).length > 0 } }),
    redact: (text) => redact(text, (known ??= literally(knownSecrets({ root, env }, config)))).text,
  };
}

export function environmentKey(layout: EnvironmentWish['layout'], id: string): string {
  return `${layout}-${id}`;
}

const usualSeconds = 600;

function planOf(
  setup: NonNullable<Config['setup']>,
  root: string,
  home: string | undefined,
): EnvironmentPlan {
  const { copy = [], requires = [], commands = [], teardown = [], ports = [], caches = {}, env = {} } = setup;
  const placed = ([name, folder]: [string, string]) => [
    name,
    path.resolve(root, folder.replace(/^~(?=\/|$)/, home ?? '~')),
  ];
  return {
    copy,
    requires,
    commands: commands.map(asCommand),
    teardown: teardown.map(asCommand),
    ports: [...new Set(ports)],
    portRange: setup.portRange ?? usualPorts,
    caches: Object.fromEntries(Object.entries(caches).map(placed)) as Record<string, string>,
    env,
  };
}

function asCommand(said: string | { run: string; seconds?: number }): SetupCommand {
  return typeof said === 'string' ? { run: said, seconds: usualSeconds } : { seconds: usualSeconds, ...said };
}
