import { needsOfView } from '../../../app/view/needs.ts';
import type { Item } from '../../../app/view/types.ts';
import { nextOf } from '../../../kinds/next.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { visible } from '../visible.ts';
import { cut } from '../width.ts';

/** What only a person can do in task directories, packets and on the board. */
export async function needsElsewhere(context: Context): Promise<Item[]> {
  const view = await withApp(context, async (app) => (await app.view()).look());
  return needsOfView(view).filter(({ layout }) => nextOf(layout).run.includes('--all'));
}

/** What holds it, and the command that goes on with it. */
export function elsewhereLine({ layout, name, why, next }: Item, context: Context): string {
  const then = next ? `; then: ${copyable(context, ...next.words)}` : '';
  return `${layout} ${visible(name)}: ${cut(visible(why.text), 300)}${then}`;
}
