import type { App } from '../../../app.ts';
import { ofPacket } from '../../../app/all/errand-step.ts';
import type { Packets, RanPacket, RunPacketInput } from '../../../kinds/packet/api.ts';
import type { Context } from '../context.ts';
import { withLive, type Watched } from '../live/with-live.ts';
import { streamed, streamFor } from '../stream.ts';
import { withPackets } from './packets.ts';
import { StageLines, wantsProgress } from './progress.ts';

type Control = Required<Pick<RunPacketInput, 'signal' | 'onProgress'>>;

/** What everything that runs stages has in common: progress and Ctrl-C. `one`: of a packet that is there already. */
export function running<R extends RanPacket>(
  context: Context,
  go: (packets: Packets, control: Control, app: Pick<App, 'root'>) => Promise<R>,
  one?: {
    command: string;
    id: string;
    /** How many stages there are to run. */
    count: (packets: Packets) => Promise<number>;
  },
): Promise<R> {
  const stream = one && streamFor(context, one.command);
  const work = async ({ shown, live }: Watched): Promise<R> => {
    const lines = new StageLines(shown, live);
    const stop = new AbortController();
    const deaf = context.world.onStop(() => {
      shown.out.alarm('stopping: the agent ends, and what is done stays done (again to leave at once)');
      stop.abort('shutdown');
    });
    const onProgress: Control['onProgress'] = (progress) =>
      stream && one
        ? stream.tellOther({ layout: 'packet', id: one.id, ...ofPacket(one.id, progress) })
        : lines.tell(progress);
    const control: Control = { signal: stop.signal, onProgress };
    try {
      return await withPackets(shown, async (packets, app) => {
        if (live && one) lines.expect(await one.count(packets));
        const ran = () => go(packets, control, app).finally(() => lines.close());
        return one ? streamed(stream, { layout: 'packet', id: one.id }, ran) : ran();
      });
    } finally {
      deaf();
    }
  };
  return withLive(context, work, wantsProgress(context));
}
