import type { Row } from './table.ts';

/** What processes have used by now, all together. */
export interface TreeUse {
  processes: number;
  /** So many of them ran at that moment, or would have, had there been a processor or a disk for them. */
  busy: number;
  cpuMs: number;
  /** Read and written. */
  ioBytes: number;
}

export function useOf(rows: readonly Row[]): TreeUse {
  return {
    processes: rows.length,
    busy: rows.filter((row) => row.isBusy).length,
    cpuMs: rows.reduce((sum, row) => sum + row.cpuMs, 0),
    ioBytes: rows.reduce((sum, row) => sum + row.ioBytes(), 0),
  };
}

/** What was used between two looks. What the ended ones had used can be gone with them: that is nothing used, not less. */
export function usedBetween(before: TreeUse, after: TreeUse): TreeUse {
  return {
    processes: after.processes,
    busy: after.busy,
    cpuMs: Math.max(0, after.cpuMs - before.cpuMs),
    ioBytes: Math.max(0, after.ioBytes - before.ioBytes),
  };
}
