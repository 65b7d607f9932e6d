import type { App } from '../../../app.ts';
import type { Packets, RanPacket, RunPacketInput } from '../../../app/packet/api.ts';
import type { Context } from '../context.ts';
import { withLive, type Watched } from '../live/with-live.ts';
import { withPackets } from './packets.ts';
import { StageLines, wantsProgress } from './progress.ts';

type Control = Required<Pick<RunPacketInput, 'signal' | 'onProgress'>>;

/** What everything that runs stages has in common: progress and Ctrl-C. `count`: how many there are to run. */
export function running<R extends RanPacket>(
  context: Context,
  go: (packets: Packets, control: Control, app: Pick<App, 'root'>) => Promise<R>,
  count?: (packets: Packets) => Promise<number>,
): Promise<R> {
  const work = async ({ shown, live }: Watched): Promise<R> => {
    const lines = new StageLines(shown, live);
    const stop = new AbortController();
    const deaf = context.world.onStop(() => {
      shown.out.alarm('stopping: the agent ends, and what is done stays done (again to leave at once)');
      stop.abort('shutdown');
    });
    const control: Control = { signal: stop.signal, onProgress: (progress) => lines.tell(progress) };
    try {
      return await withPackets(shown, async (packets, app) => {
        if (live && count) lines.expect(await count(packets));
        return go(packets, control, app).finally(() => lines.close());
      });
    } finally {
      deaf();
    }
  };
  return withLive(context, work, wantsProgress(context));
}
