import { DocketError } from '../../errors.ts';
import { systemClock } from '../../io/clock.ts';
import { applyText, claimTask, publishApply, routeText, synthesize, updateTask } from './board-scripts.ts';
import { type Call, parseFlags, type Printed, pythonJson, usageOf, WrongFlags } from './call.ts';
import { init, recoverLocks, transition } from './files.ts';
import { rebuildSnapshot } from './rebuild.ts';
import { autopilot, clarify, dispatch, feishuRouter, inboundRouter, orchestratorRouter } from './router.ts';

/** What is around a call: a process, or a test. */
export type CompatWorld = Pick<Call, 'cwd' | 'env' | 'stdin' | 'warn' | 'signal'> &
  Partial<Pick<Call, 'clock'>>;

export interface CompatEnd {
  code: number;
  stdout: string;
  stderr: string;
}

const actor = '--actor=orchestrator';
const chat = '--group-id --account-id=orchestrator';
const mode = '--mode:send|dry-run=send';
const anyMode = '--mode:send|dry-run|off=send';
const milestones = '--milestones:send|dry-run|off=send';
const visibility = '--visibility-mode:milestone_only|handoff_visible|full_visible=milestone_only';
const worker = '--session-id --timeout-sec:integer=120 --spawn-cmd --spawn-output';
const spawning = '--spawn? --no-spawn?spawn=false';
const asking = `--root! --task-id! --role! --question! ${mode} ${chat} ${actor}`;
const applying = '--apply^run=apply --dry-run^run=dry-run';

type Script = readonly [takes: string, run: (call: Call) => Printed | Promise<Printed>];

/** The original's scripts: what each takes, and what it does. Those with commands of their own stand here once for each. */
export const scripts: Readonly<Record<string, Script>> = {
  'orchestrator-router': [
    `--text! --root ${actor} --mode:route|apply=apply ${milestones} ${chat} --allow-broadcaster? ${visibility}`,
    orchestratorRouter,
  ],
  'feishu-inbound-router': [`--root! --text --actor ${chat} ${milestones}`, inboundRouter],
  'dispatch-task dispatch': [
    `--root! --task-id! --agent! --task ${mode} ${chat} ${actor} --session-id --timeout-sec:integer=120`,
    dispatch,
  ],
  'dispatch-task clarify': [`${asking} --cooldown-sec:integer=180 --force?`, clarify],
  'init-task-board': ['--root! --dry-run?', init],
  'claim-task': ['--root! --task-id! --agent! --dry-run?', claimTask],
  'update-task': [`--root! --task-id! --from! --to! ${actor} --dry-run?`, updateTask],
  'synthesize-board': [`--root! --task-id ${actor}`, synthesize],
  'rebuild-snapshot': [`--root! --input --output --compact-jsonl ${applying}`, rebuildSnapshot],
  'recover-stale-locks': [
    `--root! --ttl-seconds:integer=30 --grace-seconds:integer=15 ${applying}`,
    recoverLocks,
  ],
  'task_board init': ['--root!', init],
  'task_board route': ['--actor! --text!', routeText],
  'task_board apply': ['--root! --actor! --text!', (call) => applyText(call)],
  'task_board transition': ['--from! --to!', transition],
  'milestones publish-apply': [
    `--root! --actor! --apply-json! ${chat} ${anyMode} --allow-broadcaster?`,
    publishApply,
  ],
  'milestones dispatch': [
    `--root! --task-id! --agent! --task ${actor} ${chat} ${mode} ${worker} ${spawning} ${visibility}`,
    dispatch,
  ],
  'milestones autopilot': [
    `--root! ${actor} ${chat} ${mode} ${worker} ${spawning} --max-steps:integer=3 ${visibility}`,
    autopilot,
  ],
  'milestones clarify': [`${asking} --cooldown-sec:integer=300 --state-file --force?`, clarify],
  'milestones feishu-router': [
    `--root! --actor! --text! ${chat} ${anyMode} ${worker} --dispatch-spawn? --dispatch-manual? ${visibility} --autopilot-max-steps:integer=3 --clarify-cooldown-sec:integer=300 --clarify-state-file`,
    feishuRouter,
  ],
};

/** One of the original's scripts by its name or path, with its own arguments, output and exit codes: 0, 1, and 2 for a wrong line. */
export async function runCompat(
  script: string,
  argv: readonly string[],
  world: CompatWorld,
): Promise<CompatEnd> {
  const name = script.replace(/^.*\//, '').replace(/\.py$/, '');
  const [first = '', ...rest] = argv;
  const isWhole = Object.hasOwn(scripts, name);
  const entry = isWhole ? name : `${name} ${first}`;
  const found = Object.hasOwn(scripts, entry) ? scripts[entry] : undefined;
  if (!found) return wrong(commandsOf(name));
  const [takes, run] = found;
  const usage = usageOf(entry, takes);
  const words = isWhole ? argv : rest;
  if (words.includes('--help') || words.includes('-h')) return { code: 0, stdout: `${usage}\n`, stderr: '' };
  try {
    return ended(await run({ clock: systemClock, ...world, values: parseFlags(takes, words) }));
  } catch (error) {
    if (error instanceof WrongFlags) return wrong(`${usage}\n${entry}: error: ${error.message}`);
    if (!(error instanceof DocketError)) throw error;
    const { code, message, fix } = error;
    return ended({ json: { ok: false, error: message, reasonCode: code, fix }, code: 1 });
  }
}

function commandsOf(name: string): string {
  const commands = Object.entries(scripts).filter(([entry]) => entry.startsWith(`${name} `));
  if (commands.length > 0) return commands.map(([entry, [takes]]) => usageOf(entry, takes)).join('\n');
  const names = [...new Set(Object.keys(scripts).map((entry) => entry.split(' ', 1)[0]))];
  return `unknown script: ${name}\nscripts: ${names.join(', ')}`;
}

function wrong(message: string): CompatEnd {
  return { code: 2, stdout: '', stderr: `${message}\n` };
}

function ended(printed: Printed): CompatEnd {
  const { code, stderr = '' } = printed;
  const text = 'json' in printed ? pythonJson(printed.json) : printed.text;
  return { code, stdout: text === '' ? '' : `${text}\n`, stderr: stderr === '' ? '' : `${stderr}\n` };
}
