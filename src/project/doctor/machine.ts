import path from 'node:path';
import { command } from '../../errors/command.ts';
import { shellWord } from '../../errors/shell-word.ts';
import { checkFileSystem } from '../../io/disk.ts';
import { readBytes } from '../../io/files.ts';
import { ownIdentity } from '../../io/identity.ts';
import { bestLockKind } from '../../io/lock.ts';
import { barredBy, freeBytes, tempRoot, type Barred } from '../../io/machine.ts';
import { stateFolder } from '../../io/own-places.ts';
import { packageRoot } from '../../io/package-root.ts';
import { ok, problem, type Check, type Seen } from './check.ts';
import { asRoot } from './remedy.ts';

export const machineChecks: readonly Check[] = [
  { name: 'node', look: () => [nodeVersion(process.versions.node, wantedNode())] },
  { name: 'files', look: ({ root }) => [fileSystem(root), ...locks()] },
  { name: 'disk', look: ({ root }) => placesWith(root).map(([name, dir]) => room(name, dir)) },
  { name: 'writable', look: ({ root, env }) => writable(root, env) },
  { name: 'clock', look: ({ clock }) => [identity(ownIdentity()), timeOfDay(clock.now())] },
];

function wantedNode(): string {
  const text = readBytes(path.join(packageRoot(), 'package.json'))?.toString('utf8') ?? '{}';
  const { engines } = JSON.parse(text) as { engines?: { node?: string } };
  return engines?.node ?? '';
}

/** `wanted`: `>=20.19`, as the package has it. */
export function nodeVersion(version: string, wanted: string): Seen {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, leastMinor = 0] = wanted.replace(/^\D*/, '').split('.').map(Number);
  if (major > least || (major === least && minor >= leastMinor)) return ok(`Node ${version}`);
  return problem('bad', `Node ${version} is too old: docket needs ${wanted}`, {
    fix: 'install a newer Node.js, for example with your version manager',
    command: `nvm install ${least}`,
  });
}

function fileSystem(root: string): Seen {
  const doubt = checkFileSystem(root); // a network's is an error, which says what to do
  if (doubt === undefined) return ok('the file system is a local one');
  return problem('warn', doubt, {
    where: root,
    fix: 'run all dockets of this folder on the same side, or move it to a folder of a local disk',
    command: copied(root),
  });
}

/** `DIR`: nobody but them knows where there is a local disk. */
function copied(root: string): string {
  return `cp -a ${shellWord(root)} DIR`;
}

function locks(): Seen[] {
  if (bestLockKind() === 'kernel') return [ok('locks are the kernel’s')];
  return [
    problem('warn', 'the native part for locks cannot be loaded; slower locks are used instead', {
      fix: 'install the packages of docket for this machine',
      command: 'npm rebuild fs-native-extensions',
    }),
  ];
}

function placesWith(root: string): [name: string, dir: string][] {
  return [
    ['the project', root],
    ['temporary files', tempRoot()],
  ];
}

const megabyte = 1e6;
/** For the shell that it is typed in. */
const ownTemp = 'mkdir -p ~/tmp && export TMPDIR=~/tmp';

export function room(name: string, dir: string, free = freeBytes(dir)): Seen {
  if (free === undefined) return ok(`${name}: the file system does not say how much room is left`);
  const left = free < 1e9 ? `${Math.floor(free / megabyte)} MB` : `${(free / 1e9).toFixed(1)} GB`;
  if (free >= 1000 * megabyte) return ok(`${name}: ${left} free`);
  const state = free < 100 * megabyte ? 'bad' : 'warn';
  const isTemp = dir === tempRoot();
  return problem(state, `there is little room for ${name}: ${left}`, {
    where: dir,
    fix: isTemp ? 'use a folder where there is more' : 'let workspaces go of which nothing would be lost',
    command: isTemp ? ownTemp : String(command`clean --older-than 14d`),
  });
}

function writable(root: string, env: Readonly<Record<string, string | undefined>>): Seen[] {
  const state = stateFolder(env);
  const temp = tempRoot();
  const places: [name: string, dir: string | undefined, fix: string, command?: string][] = [
    ['the project', root, 'check owner and mode of the folder'],
    ['the folder for temporary files', temp, 'point TMPDIR to a folder of yours', ownTemp],
    ['the folder for what docket keeps for you', state, 'set HOME or DOCKET_STATE to a folder of yours'],
  ];
  const seen = places.flatMap(([name, dir, fix, command]) => {
    if (dir === undefined)
      return problem('warn', `${name} is not known: limits and costs are kept in the project`, {
        fix,
        command: 'export DOCKET_STATE=DIR',
      });
    const barred = barredBy(dir);
    return barred === undefined
      ? []
      : problem('bad', `${name} cannot be written`, { where: dir, fix, command: command ?? opening(barred) });
  });
  return seen.length > 0 ? seen : [ok('project, temporary files and your own state can be written')];
}

export function opening({ folder, why }: Barred): string {
  if (why === 'mode') return `chmod u+wx ${shellWord(folder)}`;
  const root = asRoot();
  return why === 'read-only'
    ? `${root}mount -o remount,rw "$(df --output=target ${shellWord(folder)} | tail -n 1)"`
    : `${root}chown -R "$(id -un)" ${shellWord(folder)}`;
}

/** Who died is known by when a process began and since when the machine runs. */
export function identity({ startTime, bootId }: { startTime: string; bootId: string }): Seen {
  if (startTime !== '' && (bootId !== '' || process.platform !== 'linux'))
    return ok('PID reuse can be detected');
  return problem('warn', 'nobody here can say when a process began or the machine was started', {
    where: '/proc',
    fix: 'mount /proc (in a container: with its default options); until then a task whose docket died may stay running',
    command: `${asRoot()}mount -t proc proc /proc`,
  });
}

const released = Date.parse('2026-01-01');

function timeOfDay(now: number): Seen {
  if (now > released) return ok(`it is ${new Date(now).toISOString()}`);
  return problem('bad', `the clock says ${new Date(now).toISOString()}, which is before docket was made`, {
    fix: 'set the clock: limits and leases go by it',
    command: 'timedatectl set-ntp true',
  });
}
