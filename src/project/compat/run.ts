import { DocketError } from '../../errors.ts';
import { systemClock } from '../../io/clock.ts';
import { parseWrapped } from '../../kinds/board/format/inbound.ts';
import { type Intent, tags } from '../../kinds/board/format/intent.ts';
import { readConfig } from '../../settings/read-config.ts';
import { trustInChat } from '../../settings/trust.ts';
import { actorOf } from '../chat/who.ts';
import { answered, type Call, given, has, type Printed, whereOf, wholeOf } from './call.ts';
import { applyText, claimTask, routeText, synthesize, updateTask } from './engine-scripts.ts';
import { entries, scripts } from './entries.ts';
import { init, recoverLocks, transition } from './files.ts';
import { parseFlags, usageOf, WrongFlags } from './flags.ts';
import { type Opened, roles } from './open.ts';
import type { PostMode } from './post.ts';
import { publishApply } from './publish-apply.ts';
import { pythonJson } from './python-json.ts';
import { rebuildSnapshot } from './rebuild.ts';
import { acted, type Manner, onBoard } from './router.ts';
import { feishuRouter, orchestratorRouter, routerOn } from './routers.ts';

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

/** `feishu-inbound-router`: a message in its wrapper, from stdin or `--text`. */
async function inbound(call: Call): Promise<Printed> {
  const raw = given(call, 'text') || (await call.stdin());
  if (raw.trim() === '') return answered({ ok: false, error: 'empty inbound payload' });
  const wrapped = parseWrapped(raw);
  const groupId = given(call, 'group-id') || (wrapped.group ?? call.env['BOARD_DEFAULT_GROUP_ID'] ?? '');
  const values = { ...call.values, 'group-id': groupId };
  const mode = given(call, 'milestones') as PostMode;
  return onBoard({ ...call, values }, mode, async (opened) => {
    const actor = given(call, 'actor').trim() || senderOf(wrapped, opened);
    const isBot = wrapped.isBot || roles.includes(actor);
    const isOwn = actor === given(call, 'account-id');
    const about = { actor, groupId };
    // Looked at before we are named in it: a bot that mentions us and tells a milestone is a loop all the same.
    if (isBot && (isOwn || tags.some((tag) => wrapped.text.trimStart().startsWith(tag)))) {
      const ignored = { ok: true, handled: true, intent: 'ignored_loop' };
      const router = { routerExitCode: 0, router: ignored, routerStdout: '', routerStderr: '' };
      return answered({ ...ignored, ...about, text: wrapped.text, ...router });
    }
    const named = wrapped.wasMentioned && !/@orchestrator/i.test(wrapped.text);
    const text = named ? `@orchestrator ${wrapped.text}`.trim() : wrapped.text;
    const { root, env } = whereOf(call);
    const trust = trustInChat(wrapped.sender, actor, await readConfig(root, env));
    const { answer, stderr } = await routerOn(opened, text, { ...call, values }, actor, mode, trust);
    const routerExitCode = answer.ok ? 0 : 1;
    const router = { routerExitCode, router: answer, routerStdout: pythonJson(answer), routerStderr: stderr };
    return answered({ ok: answer.ok, ...about, text, ...router });
  });
}

/** A bot of the team is known by its role; of anybody else the name counts for nothing where it is one. */
function senderOf({ sender, isBot }: { sender: string; isBot: boolean }, { ids }: Opened): string {
  return isBot && roles.includes(sender) ? sender : actorOf(sender, ids);
}

/** `dispatch-task dispatch` and `milestones dispatch`. */
function dispatch(call: Call): Promise<Printed> {
  const text = given(call, 'task');
  const about = { taskId: given(call, 'task-id'), role: given(call, 'agent') };
  return asked(
    call,
    { intent: 'dispatch', ...about, ...(text !== '' && { text }) },
    {
      dispatch: given(call, 'spawn') === 'true' ? 'spawn' : 'manual',
    },
  );
}

/** `milestones autopilot`: with workers, unless it is told otherwise. */
function autopilot(call: Call): Promise<Printed> {
  const steps = Math.max(1, wholeOf(call, 'max-steps'));
  const starting = given(call, 'spawn') === 'false' ? 'manual' : 'spawn';
  return asked(call, { intent: 'autopilot', steps }, { starting });
}

/** `dispatch-task clarify` and `milestones clarify`. */
function clarify(call: Call): Promise<Printed> {
  const question = given(call, 'question').trim();
  if (question === '') return Promise.resolve(answered({ ok: false, error: 'question cannot be empty' }));
  const about = { taskId: given(call, 'task-id'), role: given(call, 'role'), question };
  return asked(
    call,
    { intent: 'clarify', ...about },
    {
      how: { cooldownSec: wholeOf(call, 'cooldown-sec'), force: has(call, 'force') },
    },
  );
}

function asked(call: Call, intent: Intent, more: Partial<Manner>): Promise<Printed> {
  const mode = given(call, 'mode') as PostMode;
  const manner = { mode, dispatch: 'manual', starting: 'spawn', ...more } as const;
  const route = { intent, actor: given(call, 'actor'), addressed: false, locale: 'zh' } as const;
  return onBoard(call, mode, async (opened, outside) => {
    const { answer } = await acted(opened, route, call, manner, outside);
    return answered(answer);
  });
}
