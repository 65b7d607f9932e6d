import type { Item, View } from '../../../app/view/types.ts';
import type { Context } from '../context.ts';
import { copyable } from '../copyable.ts';

/** As `--json` prints it: the next step is a command that can be copied. `answers/view.ts` says what is in it. */
export function viewFields(view: View, context: Pick<Context, 'globals'>): Record<string, unknown> {
  const items = (of: readonly Item[]) => of.map((item) => itemFields(item, context));
  const { stuck, needs, running, waiting, ended } = view;
  return {
    ...view,
    stuck: items(stuck),
    needs: items(needs),
    running: items(running),
    waiting: items(waiting),
    ended: items(ended),
  };
}

export function itemFields(
  { next, ...item }: Item,
  context: Pick<Context, 'globals'>,
): Record<string, unknown> {
  return next ? { ...item, next: { command: copyable(context, ...next.words), does: next.does } } : item;
}
