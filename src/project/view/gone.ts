import type { Row } from './row.ts';

/** Has one of those who were at work died since? What became of their tasks is then read anew. */
export async function isAnyGone(rows: readonly Row[]): Promise<boolean> {
  const gone = await goneIn(rows, 'running');
  return gone.size > 0;
}

/** Of those that are held by a process, and have this status: which have lost theirs. */
export async function goneIn(rows: readonly Row[], status: Row['status']): Promise<ReadonlySet<Row>> {
  const held = rows.filter((row) => row.status === status && row.lease?.kind === 'process');
  if (held.length === 0) return new Set();
  const { isGone } = await import('../../store/gone.ts'); // only then: to load it takes longer than to ask
  return new Set(held.filter((row) => isGone(row)));
}
