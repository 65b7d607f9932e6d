import path from 'node:path';
import { type OpenIds, openIds, parseOpenIds } from '../../channel/feishu/openids.ts';
import { shortKey } from '../../channel/spool.ts';
import { readTextFile } from '../../io/text-file.ts';
import { Live } from '../../kinds/board/rules.ts';

/** Names that stand for more than a person: whoever acts under one of them may do more, or is taken for a bot. */
const roles = [
  'orchestrator',
  'coder',
  'debugger',
  'invest-analyst',
  'broadcaster',
  'docket',
  'file',
  'unknown',
];
const namePattern = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u;
const madeUp = 'user-';

/**
 * Under which name somebody acts on the board: their role by the map, else their id. What they are called counts for
 * nothing, and an id that reads as a role's name is replaced: it may be a nickname that somebody chose.
 */
export function actorOf(openId: string, known: OpenIds, agents: readonly string[] = []): string {
  const role = known.roleOf(openId);
  if (role !== undefined) return role;
  const taken = [...roles, ...known.byRole.keys(), ...agents].map(plain);
  const isFree = namePattern.test(openId) && !openId.startsWith(madeUp) && !taken.includes(plain(openId));
  return isFree ? openId : `${madeUp}${shortKey(openId).slice(0, 16)}`;
}

function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Who has which role: the first of these that names anybody counts. */
export const openIdFiles = ['config/feishu-bot-openids.json', 'state/feishu-bot-openids.json'];
const longestFile = 1024 * 1024;

/** The same for as long as a chat is served: who is on the map now. */
export function liveOpenIds(root: string): OpenIds & Pick<Live<OpenIds>, 'onWrong'> {
  const live = new Live(
    openIdFiles.map((name) => path.join(root, name)),
    () => readOpenIds(root),
  );
  return {
    get byRole() {
      return live.value.byRole;
    },
    roleOf: (openId) => live.value.roleOf(openId),
    set onWrong(tell) {
      live.onWrong = tell;
    },
    get onWrong() {
      return live.onWrong;
    },
  };
}

/** Who has which role, by the id that the chat knows them by: the first file that names anybody. */
export function readOpenIds(root: string): OpenIds {
  for (const name of openIdFiles) {
    const text = readTextFile(path.join(root, name), longestFile);
    const found = text === undefined ? undefined : parseOpenIds(text, name);
    if (found && found.byRole.size > 0) return found;
  }
  return openIds(new Map());
}
