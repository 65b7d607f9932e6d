/**
 * The scripted agent: a program of its own, so that everything docket does to an agent (start, watch, stop, adopt)
 * happens to this one too. It prints one event a line; the last one says how it went.
 */
import { messageOf } from '../../errors.ts';
import { readBytes } from '../../io/files.ts';
import type { AgentRequest, Permission } from '../adapter.ts';
import { parseScenario } from './parse.ts';
import { perform } from './perform.ts';
import { filler, stepsFor } from './scenario.ts';
import { turnsIn, type Taken } from './session.ts';

/** What the adapter tells it, as its one argument. */
export interface Task {
  scenario: string;
  cwd: string;
  permission: Permission;
  about: AgentRequest['about'];
  session: Taken;
}

export type Say = (event: Record<string, unknown>) => void;

/** Its output is a file: what was said is there, even if the next step is to die. */
const say: Say = (event) => void process.stdout.write(`${JSON.stringify(event)}\n`);

async function main(task: Task): Promise<number> {
  const { session, about } = task;
  if ('problem' in session) return failed('session', session.problem);
  say({ type: 'session', id: session.id });
  const source = readBytes(task.scenario)?.toString('utf8');
  if (source === undefined) return failed('scenario', `there is no scenario ${task.scenario}`);
  const { rules } = parseScenario(source, task.scenario);
  const turns = turnsIn(session.file);
  const steps = stepsFor(rules, turns);
  if (!steps) return failed('scenario', `the scenario ${task.scenario} has no rule for this prompt`);
  const fill = filler({ turns, session: session.id, taskId: about.taskId });
  return perform(steps, { ...task, fill, say });
}

function failed(code: string, message: string): number {
  say({ type: 'failure', code, message });
  return 1;
}

try {
  process.exitCode = await main(JSON.parse(process.argv[2] ?? '') as Task);
} catch (error) {
  process.exitCode = failed('scenario', messageOf(error));
}
