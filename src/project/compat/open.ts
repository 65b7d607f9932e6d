import path from 'node:path';
import type { OpenIds } from '../../channel/feishu/openids.ts';
import { createFile, makeDir, readBytes } from '../../io/files.ts';
import { newMark } from '../../io/process/mark.ts';
import { makeTempFolder, removeTempFolder } from '../../io/process/temp-folder.ts';
import { makeBoard, type Board } from '../../kinds/board/board.ts';
import { briefOf } from '../../kinds/board/brief.ts';
import { deskAt, lookAt } from '../../kinds/board/desk.ts';
import { cooldownFile } from '../../kinds/board/format/places.ts';
import type { Route } from '../../kinds/board/format/route/route.ts';
import { boardMail } from '../../kinds/board/outbox.ts';
import { readState } from '../../kinds/board/projects.ts';
import type { Visibility } from '../../kinds/board/told.ts';
import { mention } from '../../render/board/notice.ts';
import { dispatchPrompt } from '../../render/board/prompt.ts';
import { maskingFor } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { isObject } from '../../task/json.ts';
import { readCursor } from '../chat/chat-state.ts';
import { readOpenIds } from '../chat/people.ts';
import { Poster, type PostMode } from './answer.ts';
import { type Call, given, whereOf } from './call.ts';
import type { Giving } from './dispatch-answer.ts';

/** Who the original takes for a bot of the team. */
export const roles: readonly string[] = [
  'orchestrator',
  'coder',
  'debugger',
  'invest-analyst',
  'broadcaster',
];

interface Opening {
  where: Project;
  /** The chat is looked for here: a dry run works on a copy. */
  home: string;
  fallback: string | undefined;
  group: string;
  account: string;
  mode: PostMode;
  visibility: Visibility;
}

/** A board, and what the original's answers are made with. */
export interface Opened {
  board: Board;
  where: Project;
  giving: Giving;
  /** Who is who in the chat. */
  ids: OpenIds;
}

function openedBoard({ where, home, fallback, visibility, ...post }: Opening): Opened {
  const desk = deskAt(where, fallback);
  const own = readOpenIds(where.root);
  const ids = own.byRole.size > 0 || fallback === undefined ? own : readOpenIds(fallback);
  const group = post.group || (desk.protocol.channel.groupId ?? '');
  const hasChat = post.mode === 'send' && readCursor(home) !== undefined;
  const poster = new Poster({ ...post, group, hasChat });
  const viewOf = async (taskId: string) => (await lookAt(desk)).get(taskId);
  const giving: Giving = {
    poster,
    visibility,
    mentionOf: (role) => mention(role, ids.byRole.get(role)),
    viewOf,
    async promptFor(taskId, agent, text) {
      const look = await lookAt(desk);
      const task = look.get(taskId);
      return task ? dispatchPrompt(briefOf(task, { agent, text }, look, desk)) : '';
    },
    cooldowns: (role) => {
      const { entries } = readState(where.root, cooldownFile);
      const at = (name: string): string | null => {
        const entry = isObject(entries) && Object.hasOwn(entries, name) ? entries[name] : undefined;
        return isObject(entry) && typeof entry['at'] === 'string' ? entry['at'] : null;
      };
      const key = poster.cooldownGroup;
      return { lastAt: at(`${key}:${role}`), globalLastAt: at(`${key}:*`) };
    },
  };
  return { board: makeBoard(where, fallback), where, giving, ids };
}

/** Opens the board, lets `use` act on it, and hands on what is to be told. A dry run works on a copy. */
export async function onBoard<T>(
  call: Call,
  mode: PostMode,
  use: (opened: Opened) => Promise<T>,
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
    return onCopy(where, fallback, (copy) => use(openedBoard({ ...opening, where: copy })));
  const opened = openedBoard({ ...opening, where });
  const done = await use(opened);
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
