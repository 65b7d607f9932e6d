import type { App } from '../../../app.ts';
import type { Packets, RanPacket, RunPacketInput } from '../../../app/packet/api.ts';
import type { Context } from '../context.ts';
import { withPackets } from './packets.ts';
import { StageLines } from './progress.ts';

type Control = Required<Pick<RunPacketInput, 'signal' | 'onProgress'>>;

/** What everything that runs stages has in common: progress and Ctrl-C. */
export async function running<R extends RanPacket>(
  context: Context,
  go: (packets: Packets, control: Control, app: Pick<App, 'root'>) => Promise<R>,
): Promise<R> {
  const { world, out } = context;
  const lines = new StageLines(context);
  const stop = new AbortController();
  const deaf = world.onStop(() => {
    lines.clear();
    out.alarm('stopping: the agent ends, and what is done stays done (again to leave at once)');
    stop.abort('shutdown');
  });
  const control: Control = { signal: stop.signal, onProgress: (progress) => lines.tell(progress) };
  try {
    return await withPackets(context, (packets, app) =>
      go(packets, control, app).finally(() => lines.close()),
    );
  } finally {
    deaf();
  }
}
