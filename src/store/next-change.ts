import type { Store } from './store.ts';

/** Resolves when somebody may have changed something since the last claim, at the signal, or after so long. */
export async function nextChange(
  store: Pick<Store, 'changes'>,
  signal: AbortSignal,
  withinMs: number,
): Promise<void> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  for await (const _ of store.changes(enough)) return;
}
