import path from 'node:path';
import { DocketError, messageOf } from '../../errors.ts';
import { listDir, makeDir, sizeAndInode } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { placeInside } from '../../io/inside.ts';
import { leasePorts, NoPortFree, type PortLease } from '../../io/process/ports.ts';
import { excludeCopied, includeIgnored } from '../../workspace/include.ts';
import { readMarker } from '../../workspace/marker.ts';
import { Held, blockReasonFor } from '../blocking-errors.ts';
import type { TaskEnvironment } from '../run-workflow.ts';
import { runSetup, tearDown } from './commands.ts';
import { madeKey, type EnvironmentOptions, type EnvironmentPlan, variablesOf } from './plan.ts';
import { placeKey, readMade, readPorts, environmentFolder, writeMade, writePorts } from './record.ts';
import { useWorkspace } from './use.ts';

export function makeEnvironment(options: EnvironmentOptions, now: () => number = Date.now): TaskEnvironment {
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

async function leased({ plan, root, key, state }: EnvironmentOptions): Promise<PortLease> {
  const { ports: names, portRange: range } = plan;
  if (names.length === 0) return { ports: {}, variables: {}, release: () => undefined };
  if (state === undefined)
    throw new DocketError(
      'INVALID',
      'there is no folder in which ports could be leased',
      'set DOCKET_STATE, or HOME',
    );
  const folder = environmentFolder(root, key);
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
  options: EnvironmentOptions,
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
  options: EnvironmentOptions,
  cwd: string,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const { plan, root, env, redact } = options;
  if (plan.commands.length === 0 && plan.copy.length === 0 && plan.teardown.length === 0) return;
  const folder = environmentFolder(root, placeKey(options));
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

function held(text: string, { goOn }: EnvironmentOptions): Held {
  return new Held({ kind: 'setup', text: `${text}\nthen: ${goOn}`, who: 'a person' });
}

const portsAgainMs = 60_000;

function heldBy(error: unknown, options: EnvironmentOptions, now: number): unknown {
  if (error instanceof NoPortFree) return untilFree(error, now);
  const reason = error instanceof Held ? undefined : blockReasonFor(error);
  return reason ? held(reason.text, options) : error;
}

/** Other tasks have all the ports: that passes, and nobody has to do anything. */
function untilFree({ message, fix }: NoPortFree, now: number): Held {
  const resumesAt = new Date(now + portsAgainMs).toISOString();
  const text = `${message} (tried again ${resumesAt}; ${fix})`;
  return new Held({ kind: 'setup', text, who: 'docket', resumesAt });
}

/** Copies into a workspace what the root has and git ignores. What is there already stays. */
async function copyWanted({ root, plan, workspace }: EnvironmentOptions, cwd: string): Promise<void> {
  if (!workspace) return;
  const { place, id } = workspace;
  const copied = await includeIgnored(root, cwd, plan.copy);
  const marker = readMarker(place, { root, id });
  if (marker?.plan.kind === 'clone') excludeCopied(marker.gitDir, path.relative(place, cwd), copied);
}

function makeCaches({ caches }: EnvironmentPlan): void {
  for (const folder of Object.values(caches)) makeDir(folder);
}

/** The names that are not there, or are empty. A link that leads out of the tree is not there. */
function missingIn(cwd: string, requires: readonly string[]): string[] {
  return requires.filter((name) => {
    const place = inside(cwd, name);
    if (place === undefined) return true;
    return isDirectory(place) ? listDir(place).length === 0 : (sizeAndInode(place)?.size ?? 0) === 0;
  });
}

function inside(cwd: string, name: string): string | undefined {
  try {
    return placeInside(cwd, name);
  } catch (error) {
    if (error instanceof DocketError && error.code === 'REFUSED') return undefined;
    throw error;
  }
}

/** What is missing, and how it comes to be there. */
function missingText(
  missing: readonly string[],
  { root, workspace }: EnvironmentOptions,
  cwd: string,
): string {
  const inRoot = workspace ? missing.filter((name) => missingIn(root, [name]).length === 0) : [];
  const fix =
    inRoot.length > 0
      ? `the root has ${inRoot.join(', ')}: name it in setup.copy or .worktreeinclude, if git ignores it`
      : 'put it there, or let a command of setup.commands make it';
  return `setup.requires: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing or empty in ${cwd}; ${fix}`;
}
