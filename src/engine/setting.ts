import path from 'node:path';
import { DocketError, messageOf } from '../errors.ts';
import { leasePorts, NoPortFree, type PortLease } from '../io/process/ports.ts';
import { Held } from './held.ts';
import { runSetup } from './setting-commands.ts';
import { copyWanted, makeCaches, missingIn, missingText } from './setting-files.ts';
import { madeKey, type SettingOptions } from './setting-plan.ts';
import { placeKey, readMade, readPorts, settingFolder, writeMade, writePorts } from './setting-record.ts';
import { tearDown } from './setting-teardown.ts';
import { useWorkspace } from './setting-use.ts';
import { variablesOf } from './setting-variables.ts';
import { needsPerson } from './setup.ts';

/** What has to be there before a task's first step is paid for, and is left in order after its end. */
export interface Setting {
  /**
   * Variables for the task's agents and commands, when everything is there. Throws `Held` where a person has to see to
   * it. After an abort what it returns is not to be relied on.
   */
  ready(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** `isOver`: the task came to an end, and does not only pause. Problems are told; nothing is thrown. */
  leave(isOver: boolean, signal: AbortSignal): Promise<void>;
}

export function makeSetting(options: SettingOptions, now: () => number = Date.now): Setting {
  let lease: PortLease | undefined;
  return {
    async ready(signal) {
      try {
        lease ??= await leased(options);
        const variables = variablesOf(options, lease.variables);
        await prepared(options, variables, signal);
        return variables;
      } catch (error) {
        throw heldBy(error, options, now());
      }
    },
    async leave(isOver, signal) {
      try {
        const problem = isOver ? await tearDown(options, signal) : undefined;
        if (problem !== undefined) options.tell(problem);
      } catch (error) {
        options.tell(`the teardown could not be run: ${messageOf(error)}`);
      } finally {
        lease?.release();
        lease = undefined;
      }
    },
  };
}

async function leased({ plan, root, key, state }: SettingOptions): Promise<PortLease> {
  const { ports: names, portRange: range } = plan;
  if (names.length === 0) return { ports: {}, variables: {}, release: () => undefined };
  if (state === undefined)
    throw new DocketError(
      'INVALID',
      'there is no folder in which ports could be leased',
      'set DOCKET_STATE, or HOME',
    );
  const folder = settingFolder(root, key);
  const before = readPorts(folder);
  const lease = await leasePorts(path.join(state, 'ports'), {
    names,
    range,
    owner: `${root} ${key}`,
    before,
  });
  try {
    writePorts(folder, lease.ports);
    return lease;
  } catch (error) {
    lease.release();
    throw error;
  }
}

async function prepared(
  options: SettingOptions,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const { plan, workspace, root } = options;
  makeCaches(plan);
  const cwd = options.cwd();
  // A workspace is in use by whoever runs its task; a place that many work in is set up by one of them.
  const use = workspace ? undefined : await useWorkspace(root, placeKey(options), signal);
  try {
    if (!signal.aborted) await made(options, cwd, variables, signal);
  } finally {
    use?.release();
  }
  if (signal.aborted) return;
  if (missingIn(cwd, plan.requires).length > 0) await copyWanted(options, cwd); // the list of copies may be a new one
  const missing = missingIn(cwd, plan.requires);
  if (missing.length > 0) throw held(missingText(missing, options, cwd), options);
}

/** Noted before it begins, and after each command: what has ended well is not done twice in the same workspace. */
async function made(
  options: SettingOptions,
  cwd: string,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const { plan, root, env, redact } = options;
  if (plan.commands.length === 0 && plan.copy.length === 0 && plan.teardown.length === 0) return;
  const folder = settingFolder(root, placeKey(options));
  const before = readMade(folder);
  const copied = madeKey(cwd, plan.copy);
  const commands = madeKey(
    cwd,
    plan.commands.map(({ run }) => run),
  );
  if (before?.copied !== copied) await copyWanted(options, cwd);
  const done = before?.commands === commands ? before.done : 0;
  writeMade(folder, { copied, commands, done });
  if (done >= plan.commands.length) return;
  options.changed?.();
  const failed = await runSetup(plan.commands, {
    cwd,
    env: { ...env, ...variables },
    folder,
    log: 'setup.log',
    signal,
    redact,
    low: options.low?.touched ? options.root : undefined,
    ...(options.mask && { mask: options.mask }),
    done,
    onDone: (count) => writeMade(folder, { copied, commands, done: count }),
  });
  if (failed) throw held(`setup failed before an agent was called: ${failed.text}`, options);
}

function held(text: string, { goOn }: SettingOptions): Held {
  return new Held({ kind: 'setup', text: `${text}\nthen: ${goOn}`, who: 'a person' });
}

const portsAgainMs = 60_000;

function heldBy(error: unknown, options: SettingOptions, now: number): unknown {
  if (error instanceof NoPortFree) return untilFree(error, now);
  const reason = error instanceof Held ? undefined : needsPerson(error);
  return reason ? held(reason.text, options) : error;
}

/** Other tasks have all the ports: that passes, and nobody has to do anything. */
function untilFree({ message, fix }: NoPortFree, now: number): Held {
  const resumesAt = new Date(now + portsAgainMs).toISOString();
  const text = `${message} (tried again ${resumesAt}; ${fix})`;
  return new Held({ kind: 'setup', text, who: 'docket', resumesAt });
}
