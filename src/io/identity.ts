import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';

/** Which process, really: a pid alone is reused, after a reboot at the latest. */
export interface ProcessIdentity {
  host: string;
  pid: number;
  startTime: string;
  bootId: string;
}

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= { host: hostOf(), pid: process.pid, startTime: startTimeOf(process.pid) ?? '', bootId: bootId() };
  return own;
}

/** "unknown": it runs, or ran, where we cannot look. Nobody takes anything from such a process. */
export function liveness(who: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  const me = ownIdentity();
  if (who.host !== me.host) return isGoneContainer(who, me) ? 'dead' : 'unknown';
  if (who.bootId !== me.bootId) return 'dead';
  const startTime = startTimeOf(who.pid);
  if (startTime === undefined) return 'dead';
  return startTime === who.startTime ? 'alive' : 'dead';
}

/** The first pid namespace of a kernel: who is in it sees the processes of all others. */
const wholeMachine = 'pid:[4026531836]';

/** It ran on this kernel in a pid namespace of its own, and nobody is left in that. */
function isGoneContainer(who: ProcessIdentity, me: ProcessIdentity): boolean {
  const space = namespaceIn(who.host);
  if (space === undefined || who.bootId !== me.bootId || me.bootId === '') return false;
  if (namespaceIn(me.host) !== wholeMachine) return false;
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return !pids.some((pid) => mayBeIn(space, pid));
}

function namespaceIn(host: string): string | undefined {
  return / (pid:\[\d+\])$/.exec(host)?.[1];
}

/** Of another user's process nobody tells us the namespace, only whether it has one of its own. */
function mayBeIn(space: string, pid: string): boolean {
  try {
    return fs.readlinkSync(`/proc/${pid}/ns/pid`) === space;
  } catch {
    return isNested(pid);
  }
}

function isNested(pid: string): boolean {
  try {
    return /^NSpid:\t\d+\t\d/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false; // it has ended
  }
}

/** Of the clock that counts start times on Linux. */
const msPerTick = 10;
/** Times in files are cut, and clocks are set. */
const toleranceMs = 1000;

/**
 * Does the process live that had this pid then? Whoever has it now and began later is another one: so a reused pid is told
 * where a file names nothing but the pid. Where nobody can say when it began, it lives.
 */
export function livesSince(pid: number, then: number): boolean {
  const startTime = startTimeOf(pid);
  if (startTime === undefined) return false;
  const onLinux = process.platform === 'linux';
  const began = onLinux
    ? Date.now() - os.uptime() * 1000 + Number(startTime) * msPerTick
    : Date.parse(`${startTime} UTC`);
  return !(began > then + toleranceMs);
}

/** The pid namespace belongs to it: two containers of one host name see different processes. */
function hostOf(): string {
  try {
    return `${os.hostname()} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}

/** Start times count from the boot on Linux; elsewhere they are times of day and need no boot. */
function bootId(): string {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** Undefined: no such process. Empty: it runs, and nobody here can say since when. */
function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') return startTimeOnLinux(pid);
  try {
    // In one language and one time zone: two processes with different settings must read the same.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim() || undefined
    );
  } catch {
    return isRunning(pid) ? '' : undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function startTimeOnLinux(pid: number): string | undefined {
  let stat: string;
  try {
    stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything, so count from the last one. State is the first field behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The system keeps secrets where a file cannot show them. */
export function hasKeychain(): boolean {
  return process.platform === 'darwin';
}
