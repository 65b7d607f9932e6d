import type { Adapter } from './adapter.ts';

/** Who only asks what an adapter can do, or whether its program is there, need not load the way it is run. */
export function lazily(load: () => Promise<{ run: Adapter['run'] }>): Adapter['run'] {
  return async function* (request, host) {
    const { run } = await load();
    yield* run(request, host);
  };
}
