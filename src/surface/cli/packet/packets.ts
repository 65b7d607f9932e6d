import type { App } from '../../../app.ts';
import type { Packets } from '../../../kinds/packet/api.ts';
import { withApp, type Context } from '../context.ts';

export async function withPackets<T>(
  context: Context,
  use: (packets: Packets, app: Pick<App, 'root'>) => Promise<T>,
): Promise<T> {
  return withApp(context, async (app) => use(await app.packets(), app));
}
