import { DocketError } from '../../errors.ts';
import { sha256 } from '../../gate/evidence.ts';
import type { Event } from '../../task/schema.ts';

/** A request under the name that its agent chose for it; nothing, where it chose none. */
export interface Keyed {
  key?: string;
  /** Of all that it asks for. */
  digest?: string;
}

/** Two agents that chose the same key did not ask for the same thing. */
export function keyedFor(name: string, key: string | undefined, ...words: readonly unknown[]): Keyed {
  return key === undefined ? {} : { key: `mcp:${name}:${key}`, digest: sha256(JSON.stringify(words)) };
}

/** `fact`: what stands under the key. Of other words: to answer with what came of those in silence would lose these. */
export function assertSame(fact: Event | undefined, { key = '', digest }: Keyed): void {
  if (!fact || digest === undefined || fact.digest === digest) return;
  const chosen = key.replace(/^mcp:[^:]*:/, '');
  throw new DocketError(
    'CONFLICT',
    `the key ${JSON.stringify(chosen)} was used for other words before (${fact.taskId}); nothing was changed`,
    'choose another key, if this is a request of its own',
    { id: fact.taskId, key: chosen },
  );
}
