import path from 'node:path';
import { createFile, makeDir, readBytes } from '../../io/files.ts';
import { newMark } from '../../io/process/mark.ts';
import { makeTempFolder, removeTempFolder } from '../../io/process/temp-folder.ts';
import type { Asked } from '../../kinds/board/act.ts';
import { deskAt } from '../../kinds/board/desk.ts';
import type { Route } from '../../kinds/board/format/route/route.ts';
import { boardMail } from '../../kinds/board/outbox.ts';
import type { SpawnStep } from '../../kinds/board/steps.ts';
import type { Visibility } from '../../kinds/board/told.ts';
import { maskingFor } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { byHand } from './by-hand.ts';
import { type Call, given, has, whereOf, wholeOf } from './call.ts';
import { type Answer, engineAnswer } from './engine.ts';
import { envelope } from './envelope.ts';
import { noGroup, type Opened, openedBoard, roles } from './open.ts';
import { type Outside, outsideOf } from './outside.ts';
import type { PostMode } from './post.ts';
import { publish } from './publish.ts';

/** A worker's time, where the script does not say. */
const usualSeconds = 120;

/** How a script wants it done. */
export interface Manner {
  mode: PostMode;
  /** How `run` and `dispatch` give a task to somebody, and how the commands do that go on by themselves. */
  dispatch: 'manual' | 'spawn';
  starting: 'manual' | 'spawn';
  how?: Pick<Asked, 'cooldownSec' | 'force' | 'trust'>;
}

/** What a request came to: the answer, and, of a board's own command, what the group is told. */
interface Ended {
  answer: Answer;
  published?: Answer;
}

/** Opens the board, lets `use` act on it, and hands on what is to be told. A dry run works on a copy. */
export async function onBoard<T>(
  call: Call,
  mode: PostMode,
  use: (opened: Opened, outside: Outside | undefined) => Promise<T>,
): Promise<T> {
  const where = whereOf(call);
  const { env } = call;
  const fallback = env['BOARD_PLUGIN_ROOT'] || undefined;
  const opening = {
    home: where.root,
    fallback,
    group: given(call, 'group-id') || (env['BOARD_DEFAULT_GROUP_ID'] ?? ''),
    account: given(call, 'account-id') || 'orchestrator',
    mode,
    visibility: (given(call, 'visibility-mode') || 'milestone_only') as Visibility,
  };
  if (mode === 'dry-run')
    return onCopy(where, fallback, (copy) =>
      use(openedBoard({ ...opening, where: copy }), outsideOf(call, copy, mode)),
    );
  const opened = openedBoard({ ...opening, where });
  const done = await use(opened, outsideOf(call, where, mode));
  const { postings } = opened.giving.poster;
  if (postings.length > 0) {
    const masker = maskingFor(where, await readConfig(where.root, where.env));
    await boardMail(where.root, { clock: call.clock, masker }).outbox.enqueue(postings);
  }
  return done;
}

/** A text as the original's routers take it. */
export function understood(opened: Opened, text: string, actor: string): Promise<Route> {
  return opened.board.route({
    text,
    sender: { actor, isBot: roles.includes(actor) },
    locale: 'zh',
    names: { roleOf: (openId) => opened.ids.roleOf(openId) },
  });
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
export function isForEngine(route: Route): boolean {
  return route.overrideAgent !== undefined && !route.addressed && isEngines(route);
}

export async function acted(
  opened: Opened,
  route: Route,
  call: Call,
  manner: Manner,
  outside: Outside | undefined,
): Promise<Ended> {
  const { board, giving } = opened;
  const { intent, actor, addressed, overrideAgent } = route;
  const steps: SpawnStep[] = [];
  const starts =
    intent.intent === 'start_project' || intent.intent === 'autopilot' || intent.intent === 'auto_progress';
  const isDry = manner.mode === 'dry-run' && outside === undefined;
  const wanted = isDry ? 'manual' : starts ? manner.starting : manner.dispatch;
  const broadcasters = ['orchestrator', ...(has(call, 'allow-broadcaster') ? ['broadcaster'] : [])];
  const seconds = wholeOf(call, 'timeout-sec') || usualSeconds;
  const asked: Asked = {
    actor,
    addressed,
    request: 'zh',
    locale: 'zh',
    ...(overrideAgent !== undefined && { overrideAgent }),
    // Another's worker is run by us, when the task is given to it by hand.
    mode: outside ? 'manual' : wanted,
    group: giving.poster.options.group || noGroup,
    timeoutSec: seconds,
    visibility: giving.visibility,
    broadcasters,
    mentionOf: giving.mentionOf,
    onStep: (step) => steps.push(step),
    isHeard: () => giving.poster.isHeard,
    signal: call.signal,
    ...manner.how,
  };
  if (starts && intent.intent !== 'start_project' && (wanted === 'manual' || outside))
    return { answer: await byHand(intent, opened, asked, wanted === 'manual' ? undefined : outside, steps) };
  const found = await board.act(intent, asked);
  const heard = outside && wanted === 'spawn' ? await outside.ended(found, opened, asked) : found;
  if (!isForEngine(route)) return { answer: await envelope({ heard, steps }, giving, broadcasters) };
  return {
    answer: engineAnswer(heard),
    published: publish(heard.notices, giving.poster, actor, broadcasters),
  };
}

/** What of a board a command looks at. docket's own folder is made anew from the log. */
const copied = [
  'state/tasks.jsonl',
  'state/tasks.snapshot.json',
  'state/clarify.cooldown.json',
  'state/user-friendly.autopilot.json',
  'state/feishu-bot-openids.json',
  'config/feishu-bot-openids.json',
  'docs/protocol-config.json',
  '.docket/board/projects.json',
];

/**
 * A dry run: the command does everything, to a copy that is gone afterwards. The policy goes with it, but for its
 * commands: they judge a work tree, and there is none.
 */
async function onCopy<T>(
  where: Project,
  fallback: string | undefined,
  use: (where: Project) => Promise<T>,
): Promise<T> {
  const { policy } = deskAt(where, fallback);
  const root = makeTempFolder(newMark());
  try {
    for (const name of copied) {
      const bytes = readBytes(path.join(where.root, name));
      if (bytes !== undefined) put(path.join(root, name), bytes);
    }
    const roles = Object.entries(policy.roles).map(([role, { verifyCommands: _, ...rest }]) => [role, rest]);
    const judged = { ...policy, roles: Object.fromEntries(roles) as object };
    put(path.join(root, 'config/acceptance-policy.json'), JSON.stringify(judged));
    return await use({ ...where, root });
  } finally {
    await removeTempFolder(root);
  }
}

function put(file: string, content: string | Uint8Array): void {
  makeDir(path.dirname(file));
  createFile(file, content);
}
