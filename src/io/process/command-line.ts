import fs from 'node:fs';
import path from 'node:path';
import { supervisorName } from './supervisor.ts';

/**
 * Whether a process is still a copy of the supervisor that has not become its program yet. Such a copy has the
 * supervisor's traps for a moment: it swallows a signal.
 */
export function isFork(pid: number, supervisor: number | undefined): boolean {
  const words = supervisor === undefined ? '' : commandLine(pid);
  return words !== '' && supervisor !== undefined && words === commandLine(supervisor);
}

/** Where nobody can say, it is taken for one: it leads the group of an attempt. */
export function isSupervisor(pid: number): boolean {
  return process.platform !== 'linux' || commandLine(pid).split('\0')[3] === supervisorName;
}

/** Whether it only stands around an agent (sandbox.ts). */
export function isSandbox(pid: number): boolean {
  return path.basename(commandLine(pid).split('\0')[0] ?? '') === 'bwrap';
}

/** The attempt's folder that a supervisor was given; undefined: it is none. */
export function supervisedFolder(pid: number): string | undefined {
  const [, , , name, dir] = commandLine(pid).split('\0');
  return name === supervisorName && dir !== undefined
    ? Buffer.from(dir, 'latin1').toString('utf8')
    : undefined;
}

/** Empty where there is none, or no process. */
function commandLine(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
