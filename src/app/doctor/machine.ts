import path from 'node:path';
import { readBytes } from '../../io/files.ts';
import { checkFileSystem } from '../../io/fs-kind.ts';
import { ownIdentity } from '../../io/identity.ts';
import { bestLockKind } from '../../io/lock.ts';
import { canWriteTo, freeBytes, tempRoot } from '../../io/machine.ts';
import { packageRoot } from '../../io/package-root.ts';
import { stateFolder } from '../../io/state-folder.ts';
import { ok, problem, type Check, type Seen } from './check.ts';

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
  return problem('warn', doubt, { where: root, fix: 'run all dockets of this folder on the same side' });
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

export function room(name: string, dir: string, free = freeBytes(dir)): Seen {
  if (free === undefined) return ok(`${name}: the file system does not say how much room is left`);
  const left = free < 1e9 ? `${Math.floor(free / megabyte)} MB` : `${(free / 1e9).toFixed(1)} GB`;
  if (free >= 1000 * megabyte) return ok(`${name}: ${left} free`);
  const state = free < 100 * megabyte ? 'bad' : 'warn';
  return problem(state, `there is little room for ${name}: ${left}`, {
    where: dir,
    fix: 'see which workspaces of finished tasks can go',
    command: 'docket clean --older-than 14d --dry-run',
  });
}

function writable(root: string, env: Readonly<Record<string, string | undefined>>): Seen[] {
  const state = stateFolder(env);
  const places: [name: string, dir: string | undefined, fix: string][] = [
    ['the project', root, 'check owner and mode of the folder'],
    ['the folder for temporary files', tempRoot(), 'point TMPDIR to a folder of yours'],
    ['the folder for what docket keeps for you', state, 'set HOME or DOCKET_STATE to a folder of yours'],
  ];
  const wrong = places.filter(([, dir]) => dir === undefined || !canWriteTo(dir));
  if (wrong.length === 0) return [ok('project, temporary files and your own state can be written')];
  return wrong.map(([name, dir, fix]) =>
    dir === undefined
      ? problem('warn', `${name} is not known: limits and costs are kept in the project`, { fix })
      : problem('bad', `${name} cannot be written`, { where: dir, fix }),
  );
}

/** Who died is known by when a process began and since when the machine runs. */
export function identity({ startTime, bootId }: { startTime: string; bootId: string }): Seen {
  if (startTime !== '' && (bootId !== '' || process.platform !== 'linux'))
    return ok('processes can be told from later ones with the same number');
  return problem('warn', 'nobody here can say when a process began or the machine was started', {
    where: '/proc',
    fix: 'mount /proc (in a container: with its default options); until then a task whose docket died may stay running',
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
