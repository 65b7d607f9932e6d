import { execFileSync } from 'node:child_process';
import { markVariable } from './mark.ts';
import type { Row } from './table.ts';

/** Where there is no /proc: `ps` shows the environment of our own processes behind the command. */
export function psTable(): Row[] {
  const text = execFileSync('ps', ['axeww', '-o', 'pid=,ppid=,pgid=,stat=,uid=,rss=,time=,tty=,command='], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return parsePs(text, process.getuid?.() ?? -1);
}

export function parsePs(text: string, ownUid: number): Row[] {
  const rows: Row[] = [];
  for (const line of text.split('\n')) {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(-?\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s(.*)$/.exec(line);
    if (!found || found[4]?.startsWith('Z')) continue;
    const [, pid, parent, group, stat = '', uid, rss, time = '', tty = '', command = ''] = found;
    const values = (variable: string) =>
      [...` ${command} `.matchAll(new RegExp(`(?<= )${variable}=(\\S+)(?= )`, 'g'))].map(
        ([, value = '']) => value,
      );
    const marks = values(markVariable);
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      began: 0,
      cpuMs: cpuIn(time),
      isBusy: /^[RDU]/.test(stat),
      hasTerminal: /[a-z0-9]/i.test(tty),
      values,
      marks: () => marks,
      hasMark: (mark) => marks.includes(mark),
      hasLimit: () => false,
      isOurs: () => Number(uid) === ownUid,
      rssBytes: () => Number(rss) * 1024,
      ioBytes: () => 0,
    });
  }
  return rows;
}

/** `1-02:03:04`, `02:03`, or with hundredths `2:03.45`. */
function cpuIn(time: string): number {
  const [clock = '', days] = time.split('-').toReversed();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days ?? 0) * 86_400 + seconds) * 1000) || 0;
}
