import { batch } from './queue/batch.mjs';
import { history } from './queue/history.mjs';
import { idle } from './queue/idle.mjs';
import { extraStep, inPlace, withClone } from './queue/overhead.mjs';

/** The queue: what a task, a step and a clone cost, many at once, a long past, and doing nothing. */
export async function queue(options) {
  const rows = [];
  for (const figure of [inPlace, extraStep, withClone, batch, history, idle])
    rows.push(...[await figure(options)].flat());
  return rows;
}
