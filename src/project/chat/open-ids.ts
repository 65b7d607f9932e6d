import path from 'node:path';
import { openIds, parseOpenIds, type OpenIds } from '../../channel/feishu/openids.ts';
import { readTextFile } from '../../io/text-file.ts';
import { Live } from '../../kinds/board/rules.ts';

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
