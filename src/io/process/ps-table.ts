import { execFileSync } from 'node:child_process';
import { markVariable } from './mark.ts';
import type { Row } from './table.ts';

/** Where there is no /proc: `ps` shows the environment of our own processes behind the command. */
export function psTable(): Row[] {
  const text = execFileSync('ps', ['axeww', '-o', 'pid=,ppid=,pgid=,stat=,uid=,command='], {
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
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(-?\d+)\s(.*)$/.exec(line);
    if (!found || found[4]?.startsWith('Z')) continue;
    const [pid = 0, parent = 0, group = 0] = [found[1], found[2], found[3]].map(Number);
    const words = ` ${found[6] ?? ''} `;
    rows.push({
      pid,
      parent,
      group,
      session: group,
      began: 0,
      hasMark: (mark) => words.includes(` ${markVariable}=${mark} `),
      isOurs: () => Number(found[5]) === ownUid,
    });
  }
  return rows;
}
