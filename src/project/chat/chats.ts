import type { Project } from '../../settings/project.ts';
import type { Chats } from './api.ts';
import { feishuChat } from './feishu.ts';
import { groupOfMail, mailStatus, postMail, retryMail } from './mail.ts';
import { webhookChat } from './webhook.ts';

/** The chats that a board can be worked from. */
export function makeChats(where: Project): Chats {
  return {
    feishu: (input) => feishuChat(where, input),
    webhook: (input) => webhookChat(where, input),
    reachesGroup: () => groupOfMail(where.root) !== undefined,
    status: () => mailStatus(where.root),
    post: (told) => postMail(where, told),
    retry: () => retryMail(where.root),
  };
}
