import { withApp, type Context } from '../context.ts';
import { byNeed, gateLines } from '../task/gates.ts';

/** Of all tasks only what waits: what was answered matters to who asks about one task. */
export async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [task] = args.operands;
  const found = byNeed(await withApp(context, (app) => app.gates(task)));
  const gates = task === undefined ? found.filter(({ state }) => state === 'blocked') : found;
  if (globals.json) out.answer({ gates });
  else if (gates.length > 0) out.data(gates.flatMap((gate) => gateLines(gate, context)).join('\n'));
  else out.talk(task === undefined ? 'No gate waits for a person.' : 'This task has no gates.');
  return 0;
}
