import { messageOf } from '../../errors.ts';
import type { Watched } from '../../settings/project.ts';
import type { NotifyWhere } from './channels.ts';
import { Notifier } from './notifier.ts';
import { wantsIn } from './wants.ts';

const everyMs = 5_000;
/** Runs of this process, by root: the last of them has to tell what is left. */
const going = new Map<string, number>();

/**
 * A run, and whoever has to be told what it needs: while it goes on, because gates open in its midst, and at its end. A
 * message that cannot be sent fails no work: it is told as a warning, and tried again by the next docket.
 */
export async function notified<T>(
  where: NotifyWhere & { warn?: (warning: string) => void },
  { kind, config, masking, look }: Watched,
  run: () => Promise<T>,
): Promise<T> {
  const notifier = Notifier.for(where, config, masking);
  if (!notifier) return run();
  const since = where.clock.now();
  const never = new AbortController();
  const once = async (last: boolean): Promise<void> => {
    try {
      await notifier.look(wantsIn(kind, await look(), since), last, never.signal);
    } catch (error) {
      where.warn?.(`nobody could be told what needs a person: ${messageOf(error)} (docket notify status)`);
    }
  };
  const { root } = where;
  const count = (more: 1 | -1): number => {
    const left = (going.get(root) ?? 0) + more;
    going.set(root, left);
    return left;
  };
  count(1);
  let looking = Promise.resolve();
  const timer = setInterval(() => void (looking = looking.then(() => once(false))), everyMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    await looking;
    await once(count(-1) === 0);
  }
}
