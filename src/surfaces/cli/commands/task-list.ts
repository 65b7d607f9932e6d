import * as v from 'valibot';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { warnOf } from '../frame/findings.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';
import { taskFields, withTasks } from '../task/fields.ts';
import { directory } from '../task/schema.ts';
import { directoryRows } from '../task/show.ts';

export const command: Definition = {
  options: [],
  notes: ['One row each: id, state, agents (finished/all), title, and what it waits for.'],
  examples: ['docket task list', "docket task list --json | jq -r '.tasks[].id'"],
  answer: json.one('All task directories, the newest change first.', {
    tasks: v.array(v.looseObject(directory.about)),
    findings: json.described(json.findings, 'Those that cannot be read.'),
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, world, out } = context;
  const { tasks, findings } = await withTasks(context, (all) => all.list());
  if (globals.json) {
    out.answer({ tasks: tasks.map(taskFields), findings });
    return 0;
  }
  warnOf(findings, context);
  const { stdout, env } = world;
  const look = { columns: columnsOf(stdout, env), heading: stdout.isTTY === true, paint: out.paintData };
  if (tasks.length > 0) out.data(directoryRows(tasks, look));
  else if (findings.length > 0) out.talk('No task directory can be read.');
  else out.talk('No task directories yet. Make one: docket task create --title "…" --topology swarm');
  return 0;
}
