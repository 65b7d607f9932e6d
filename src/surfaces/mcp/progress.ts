import type { World } from '../cli/frame/world.ts';
import type { CallContext } from './server.ts';

const everyMs = 5000;

/** Checks may take minutes: a client that asks to be told hears that the call is still under way, and waits longer. */
export async function withProgress<T>(
  world: World,
  context: CallContext,
  work: () => Promise<T>,
): Promise<T> {
  const progressToken = context._meta?.progressToken;
  if (progressToken === undefined) return work();
  let progress = 0;
  const quiet = world.every(everyMs, () => {
    progress += 1;
    const params = { progressToken, progress, message: 'docket is at it' };
    // A connection that is gone ends the call by itself.
    context.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  });
  try {
    return await work();
  } finally {
    quiet();
  }
}
