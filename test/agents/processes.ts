import fs from 'node:fs';

/** Command lines of what still runs with this mark, or names this word. A zombie runs no more. */
export function leftOf(mark: string, word?: string): string[] {
  return fs.readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const environment = fs.readFileSync(`/proc/${pid}/environ`, 'utf8');
      const found = environment.includes(mark) || (word !== undefined && command.includes(word));
      const zombie = /^\d+ \(.*\) Z/s.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
      return found && !zombie ? [`${pid}: ${command}`] : [];
    } catch {
      return []; // it ended while we looked
    }
  });
}
