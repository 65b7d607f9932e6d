import { askPerson } from '../ask.ts';
import type { Context } from '../context.ts';
import { openLive, type Live } from './live.ts';

/** What work that is watched gets. */
export interface Watched {
  /** To print through: above the live lines, where there are some. */
  shown: Context;
  live?: Live;
  ask?: NonNullable<ReturnType<typeof askPerson>>;
}

/** Shows what runs while `work` goes on, and leaves the terminal as it was however that ends. */
export async function withLive<T>(
  context: Context,
  work: (watched: Watched) => Promise<T>,
  isWanted = true,
): Promise<T> {
  const live = isWanted ? openLive(context) : undefined;
  const shown = live?.context ?? context;
  const asks = askPerson(shown);
  const ask: Watched['ask'] = asks && live ? (question) => live.quietly(() => asks(question)) : asks;
  try {
    return await work({ shown, ...(live && { live }), ...(ask && { ask }) });
  } finally {
    live?.close();
  }
}
