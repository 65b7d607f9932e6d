import type { Told } from '../../kinds/board/told.ts';
import type { Project } from '../../settings/project.ts';
import type { FeishuInput, WebhookInput } from './api.ts';
import { feishuChat } from './feishu.ts';
import { groupOfMail, mailStatus, postMail, retryMail } from './mail.ts';
import { webhookChat } from './webhook.ts';

/** The chats that a board can be worked from. */
export function makeChats(where: Project) {
  return {
    /** A message that is posted now gets to a group, once its chat is served. */
    reachesGroup: () => groupOfMail(where.root) !== undefined,
    feishu: (input: FeishuInput) => feishuChat(where, input),
    webhook: (input: WebhookInput) => webhookChat(where, input),
    /** Takes no lock but to see whether somebody has it, and makes nothing. */
    status: () => mailStatus(where.root),
    /** Hands on to the chat's group what stands in no log. False: no chat was ever served here. */
    post: (told: readonly Told[]) => postMail(where, told),
    /** What was given up waits again, with the same keys: so many to be sent, and so many to be acted on. */
    retry: () => retryMail(where.root),
  };
}

export type Chats = ReturnType<typeof makeChats>;
