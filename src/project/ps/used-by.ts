import { portsOf } from '../../io/process/listening.ts';
import type { Row } from '../../io/process/table.ts';
import type { PsEntry } from './api.ts';

/** What these processes have and use, all together. */
export function usedBy(rows: readonly Row[]): Pick<PsEntry, 'pids' | 'cpuSeconds' | 'rssBytes' | 'ports'> {
  const pids = rows.map(({ pid }) => pid);
  return {
    pids,
    cpuSeconds: rows.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000,
    rssBytes: rows.reduce((sum, row) => sum + row.rssBytes(), 0),
    ports: portsOf(pids),
  };
}
