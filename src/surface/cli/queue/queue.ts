import type { QueueTasks } from '../../../kinds/queue/api.ts';
import { withApp, type Context } from '../context.ts';

export async function withQueue<T>(context: Context, use: (queue: QueueTasks) => Promise<T>): Promise<T> {
  return withApp(context, async (app) => use(await app.queue()));
}
