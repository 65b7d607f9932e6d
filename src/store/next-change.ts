import type { StoreReader } from './store.ts';

/** Resolves when somebody may have changed something, at the signal, or after so long. */
export async function nextChange(
  store: Pick<StoreReader, 'changes'>,
  signal: AbortSignal,
  withinMs: number,
): Promise<void> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  for await (const _ of store.changes(enough)) return;
}
