import { DocketError } from '../../errors.ts';
import { systemClock } from '../../io/clock.ts';
import type { Call, Printed } from './call.ts';
import { applyText, claimTask, routeText, synthesize, updateTask } from './engine-scripts.ts';
import { entries, scripts } from './entries.ts';
import { init, recoverLocks, transition } from './files.ts';
import { parseFlags, usageOf, WrongFlags } from './flags.ts';
import { inbound } from './inbound.ts';
import { publishApply } from './publish-apply.ts';
import { pythonJson } from './python-json.ts';
import { rebuildSnapshot } from './rebuild.ts';
import { feishuRouter, orchestratorRouter } from './routers.ts';
import { autopilot, clarify, dispatch } from './workers.ts';

/** What is around a call: a process, or a test. */
export type CompatWorld = Pick<Call, 'cwd' | 'env' | 'stdin' | 'warn' | 'signal'> &
  Partial<Pick<Call, 'clock'>>;

export interface CompatEnd {
  code: number;
  stdout: string;
  stderr: string;
}

const handlers: Readonly<Record<keyof typeof entries, (call: Call) => Printed | Promise<Printed>>> = {
  'orchestrator-router': orchestratorRouter,
  'feishu-inbound-router': inbound,
  'dispatch-task dispatch': dispatch,
  'dispatch-task clarify': clarify,
  'init-task-board': init,
  'claim-task': claimTask,
  'update-task': updateTask,
  'synthesize-board': synthesize,
  'rebuild-snapshot': rebuildSnapshot,
  'recover-stale-locks': recoverLocks,
  'task_board init': init,
  'task_board route': routeText,
  'task_board apply': (call) => applyText(call),
  'task_board transition': transition,
  'milestones publish-apply': publishApply,
  'milestones dispatch': dispatch,
  'milestones autopilot': autopilot,
  'milestones clarify': clarify,
  'milestones feishu-router': feishuRouter,
};

/** One of the original's scripts by its name or path, with its own arguments, output and exit codes: 0, 1, and 2 for a wrong line. */
export async function runCompat(
  script: string,
  argv: readonly string[],
  world: CompatWorld,
): Promise<CompatEnd> {
  const name = script.replace(/^.*\//, '').replace(/\.py$/, '');
  const [first = '', ...rest] = argv;
  const isWhole = Object.hasOwn(entries, name);
  const entry = isWhole ? name : `${name} ${first}`;
  const spec = Object.hasOwn(entries, entry) ? entries[entry] : undefined;
  const handler = Object.hasOwn(handlers, entry) ? handlers[entry] : undefined;
  if (!spec || !handler) return wrong(commandsOf(name));
  const usage = usageOf(entry, spec);
  const words = isWhole ? argv : rest;
  if (words.includes('--help') || words.includes('-h')) return { code: 0, stdout: `${usage}\n`, stderr: '' };
  try {
    const values = parseFlags(spec, words);
    return ended(await handler({ clock: systemClock, ...world, values }));
  } catch (error) {
    if (error instanceof WrongFlags) return wrong(`${usage}\n${entry}: error: ${error.message}`);
    if (!(error instanceof DocketError)) throw error;
    const { code, message, fix } = error;
    return ended({ json: { ok: false, error: message, reasonCode: code, fix }, code: 1 });
  }
}

function commandsOf(name: string): string {
  const commands = Object.entries(entries).filter(([entry]) => entry.startsWith(`${name} `));
  if (commands.length > 0) return commands.map(([entry, spec]) => usageOf(entry, spec)).join('\n');
  return `unknown script: ${name}\nscripts: ${scripts.join(', ')}`;
}

function wrong(message: string): CompatEnd {
  return { code: 2, stdout: '', stderr: `${message}\n` };
}

function ended(printed: Printed): CompatEnd {
  const { code, stderr = '' } = printed;
  const text = 'json' in printed ? pythonJson(printed.json) : printed.text;
  return { code, stdout: text === '' ? '' : `${text}\n`, stderr: stderr === '' ? '' : `${stderr}\n` };
}
