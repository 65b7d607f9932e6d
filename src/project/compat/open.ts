import type { OpenIds } from '../../channel/feishu/openids.ts';
import { makeBoard, type Board } from '../../kinds/board/board.ts';
import { briefOf } from '../../kinds/board/brief.ts';
import { deskAt, lookAt } from '../../kinds/board/desk.ts';
import { cooldownFile } from '../../kinds/board/format/places.ts';
import { readState } from '../../kinds/board/state-file.ts';
import type { Visibility } from '../../kinds/board/told.ts';
import { mention } from '../../render/board/notice-dispatch.ts';
import { dispatchPrompt } from '../../render/board/prompt.ts';
import type { Project } from '../../settings/project.ts';
import { isObject } from '../../task/json.ts';
import { readCursor } from '../chat/cursor.ts';
import { readOpenIds } from '../chat/open-ids.ts';
import type { Giving } from './dispatch-answer.ts';
import { Poster, type PostMode } from './post.ts';

/** Who the original takes for a bot of the team. */
export const roles: readonly string[] = [
  'orchestrator',
  'coder',
  'debugger',
  'invest-analyst',
  'broadcaster',
];

/** Questions are counted by their group; without a chat there is one. */
export const noGroup = 'local';

export interface Opening {
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
  giving: Giving;
  /** Who is who in the chat. */
  ids: OpenIds;
}

export function openedBoard({ where, home, fallback, visibility, ...post }: Opening): Opened {
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
      const key = group || noGroup;
      return { lastAt: at(`${key}:${role}`), globalLastAt: at(`${key}:*`) };
    },
  };
  return { board: makeBoard(where, fallback), giving, ids };
}
