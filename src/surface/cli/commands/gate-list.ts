import type { Definition } from '../command.ts';
import { withApp, type Context } from '../context.ts';
import { byNeed, gateLines } from '../task/gates.ts';

export const command: Definition = {
  operand: { kind: 'text', names: 'gated', label: '[task]', min: 0, max: 1 },
  options: [],
  notes: ['Those of all tasks. Of a task that you name also those that were answered.'],
  examples: ['docket gate list', 'docket gate list <task>', "docket gate list --json | jq '.gates[0]'"],
  run,
};

/** Of all tasks only what waits: what was answered matters to who asks about one task. */
async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [task] = args.operands;
  const found = byNeed(await withApp(context, (app) => app.gates(task)));
  const gates = task === undefined ? found.filter(({ state }) => state === 'blocked') : found;
  if (globals.json) out.answer({ gates });
  else if (gates.length > 0) out.data(gates.flatMap((gate) => gateLines(gate, context)).join('\n'));
  else out.talk(task === undefined ? 'No gate waits for a person.' : 'This task has no gates.');
  return 0;
}
