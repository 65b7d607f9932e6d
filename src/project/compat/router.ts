import type { Asked } from '../../kinds/board/act.ts';
import { parseWrapped } from '../../kinds/board/format/inbound.ts';
import { type Intent, tags } from '../../kinds/board/format/intent.ts';
import type { Route } from '../../kinds/board/format/route/route.ts';
import type { SpawnStep } from '../../kinds/board/steps.ts';
import { readConfig } from '../../settings/read-config.ts';
import { trustInChat } from '../../settings/trust.ts';
import type { Trust } from '../../task/schema.ts';
import { actorOf } from '../chat/people.ts';
import { type Answer, engineAnswer, type PostMode, publish, routeAnswer } from './answer.ts';
import { answered, type Call, given, has, type Printed, pythonJson, whereOf, wholeOf } from './call.ts';
import { envelope } from './envelope.ts';
import { onBoard, type Opened, roles, understood } from './open.ts';
import { byHand, outsideOf } from './workers.ts';

/** A worker's time, where the script does not say. */
const usualSeconds = 120;

/** How a script wants it done. */
interface Manner {
  /** How `run` and `dispatch` give a task to somebody; default: by hand. */
  dispatch?: 'manual' | 'spawn';
  /** How the commands do that go on by themselves; default: with workers. */
  starting?: 'manual' | 'spawn';
  how?: Pick<Asked, 'cooldownSec' | 'force' | 'trust'>;
}

/** What the orchestrator does; everything else the board itself understands. */
const foremans: ReadonlySet<string> = new Set([
  'help',
  'run',
  'dispatch',
  'clarify',
  'autopilot',
  'auto_progress',
  'create_project',
  'start_project',
  'report',
]);

export function isEngines({ intent }: Route): boolean {
  return !foremans.has(intent.intent);
}

/** Without `@orchestrator` before it, a text to another agent is for the board itself. */
function isForEngine(route: Route): boolean {
  return route.overrideAgent !== undefined && !route.addressed && isEngines(route);
}

/** Who may speak to the group. */
export function broadcastersFor(call: Call): string[] {
  return ['orchestrator', ...(has(call, 'allow-broadcaster') ? ['broadcaster'] : [])];
}

/** Does what is asked for. `published`: what the group is told about a board's own command. */
async function acted(
  opened: Opened,
  route: Route,
  call: Call,
  { dispatch = 'manual', starting = 'spawn', how }: Manner,
): Promise<{ answer: Answer; published?: Answer }> {
  const { board, giving } = opened;
  const { intent, actor, addressed, overrideAgent } = route;
  const { poster, visibility, mentionOf } = giving;
  const outside = outsideOf(call, opened);
  const steps: SpawnStep[] = [];
  const goesOn = intent.intent === 'autopilot' || intent.intent === 'auto_progress';
  const isDry = poster.options.mode === 'dry-run' && outside === undefined;
  const wanted = isDry ? 'manual' : goesOn || intent.intent === 'start_project' ? starting : dispatch;
  const broadcasters = broadcastersFor(call);
  const asked: Asked = {
    actor,
    addressed,
    request: 'zh',
    locale: 'zh',
    ...(overrideAgent !== undefined && { overrideAgent }),
    // Another's worker is run by us, when the task is given to it by hand.
    mode: outside ? 'manual' : wanted,
    group: poster.cooldownGroup,
    timeoutSec: wholeOf(call, 'timeout-sec') || usualSeconds,
    visibility,
    broadcasters,
    mentionOf,
    onStep: (step) => steps.push(step),
    isHeard: () => poster.isHeard,
    signal: call.signal,
    ...how,
  };
  if (goesOn && (wanted === 'manual' || outside))
    return { answer: await byHand(intent, opened, asked, wanted === 'manual' ? undefined : outside, steps) };
  const found = await board.act(intent, asked);
  const heard = outside && wanted === 'spawn' ? await outside(found, asked) : found;
  if (!isForEngine(route)) return { answer: await envelope(heard, steps, giving, broadcasters) };
  return { answer: engineAnswer(heard), published: publish(heard.notices, poster, actor, broadcasters) };
}

/** `orchestrator-router`: what a text means, or what comes of it. */
export async function orchestratorRouter(call: Call): Promise<Printed> {
  const [text, actor] = [given(call, 'text'), given(call, 'actor')];
  if (given(call, 'mode') === 'route') return { json: routeAnswer(text, actor), code: 0 };
  if (given(call, 'root') === '') return { text: '', stderr: '--root is required in apply mode', code: 2 };
  return onBoard(call, given(call, 'milestones') as PostMode, async (opened) => {
    const { answer, stderr } = await routerOn(opened, text, call, actor);
    return { ...answered(answer), ...(stderr !== '' && { stderr }) };
  });
}

/** On an open board. What a dry run would tell about a board's own command stands on stderr. */
async function routerOn(
  opened: Opened,
  text: string,
  call: Call,
  actor: string,
  trust?: Trust,
): Promise<{ answer: Answer; stderr: string }> {
  const route = await understood(opened, text, actor);
  const { answer, published } = await acted(opened, route, call, trust ? { how: { trust } } : {});
  const isDry = opened.giving.poster.options.mode === 'dry-run';
  return { answer, stderr: published && isDry ? pythonJson(published) : '' };
}

/** `milestones feishu-router`: what is not for it, it leaves to the board. */
export function feishuRouter(call: Call): Promise<Printed> {
  return onBoard(call, given(call, 'mode') as PostMode, async (opened) => {
    const route = await understood(opened, given(call, 'text'), given(call, 'actor'));
    if (isForEngine(route) || route.intent.intent === 'unknown')
      return answered({ ok: true, handled: false, intent: 'pass-through' });
    const dispatch = has(call, 'dispatch-spawn') ? 'spawn' : 'manual';
    const starting = dispatch === 'manual' && has(call, 'dispatch-manual') ? 'manual' : 'spawn';
    const how = { cooldownSec: wholeOf(call, 'clarify-cooldown-sec') };
    const steps = wholeOf(call, 'autopilot-max-steps');
    const { intent } = route;
    const meant = intent.intent === 'autopilot' ? { ...intent, steps: intent.steps ?? steps } : intent;
    const { answer } = await acted(opened, { ...route, intent: meant }, call, { dispatch, starting, how });
    return answered(answer);
  });
}

/** `feishu-inbound-router`: a message in its wrapper, from stdin or `--text`. */
export async function inboundRouter(call: Call): Promise<Printed> {
  const raw = given(call, 'text') || (await call.stdin());
  if (raw.trim() === '') return answered({ ok: false, error: 'empty inbound payload' });
  const wrapped = parseWrapped(raw);
  const groupId = given(call, 'group-id') || (wrapped.group ?? call.env['BOARD_DEFAULT_GROUP_ID'] ?? '');
  const values = { ...call.values, 'group-id': groupId };
  return onBoard({ ...call, values }, given(call, 'milestones') as PostMode, async (opened) => {
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
    const { answer, stderr } = await routerOn(opened, text, { ...call, values }, actor, trust);
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
export function dispatch(call: Call): Promise<Printed> {
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
export function autopilot(call: Call): Promise<Printed> {
  const steps = Math.max(1, wholeOf(call, 'max-steps'));
  const starting = given(call, 'spawn') === 'false' ? 'manual' : 'spawn';
  return asked(call, { intent: 'autopilot', steps }, { starting });
}

/** `dispatch-task clarify` and `milestones clarify`. */
export function clarify(call: Call): Promise<Printed> {
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

function asked(call: Call, intent: Intent, manner: Manner): Promise<Printed> {
  const route = { intent, actor: given(call, 'actor'), addressed: false, locale: 'zh' } as const;
  return onBoard(call, given(call, 'mode') as PostMode, async (opened) =>
    answered((await acted(opened, route, call, manner)).answer),
  );
}
