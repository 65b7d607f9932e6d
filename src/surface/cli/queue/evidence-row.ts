import type { ShownEvidence } from '../../../app/evidence.ts';
import { age } from '../age.ts';
import type { AlignedRow } from '../aligned.ts';

/** One thing that docket saw, in one row: `-` is neither proved nor false. */
export function evidenceRow(entry: ShownEvidence, now: number): AlignedRow {
  const { id, at, kind, what, ok, exit, tree, note, wrong } = entry;
  const code = exit === undefined ? '' : `exit ${exit}`;
  const last = [what, wrong ?? note ?? ''].filter((part) => part !== '').join(': ');
  return { cells: [id, state(ok, wrong), kind, code, `${age(at, now)} ago`, tree], last };
}

function state(ok: boolean | null, wrong: string | undefined) {
  if (wrong !== undefined) return { text: 'refused', color: 'red' } as const;
  if (ok === null) return '-';
  return ok ? ({ text: 'ok', color: 'green' } as const) : ({ text: 'failed', color: 'red' } as const);
}
