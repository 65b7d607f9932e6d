import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { appId, botId, groupId } from './feishu-server.ts';

interface Said {
  id: string;
  text: string;
  from?: string;
  senderType?: string;
  group?: string;
  at?: number;
  mentionsBot?: boolean;
}

/** Somebody writes to a group. */
export function messageEvent(said: Said): object {
  const { id, text, from = 'ou_ann', senderType = 'user', group = groupId, at = Date.now() } = said;
  const mentions = [{ key: '@_user_1', id: { open_id: botId }, name: 'docket bot' }];
  return event('im.message.receive_v1', `event-${id}`, {
    sender: { sender_id: { open_id: from }, sender_type: senderType },
    message: {
      message_id: id,
      chat_id: group,
      chat_type: 'group',
      create_time: String(at),
      message_type: 'text',
      content: JSON.stringify({ text: said.mentionsBot ? `@_user_1 ${text}` : text }),
      ...(said.mentionsBot && { mentions }),
    },
  });
}

/** Somebody presses a button of a card. */
export function actionEvent(id: string, value: object, from = 'ou_ann', group = groupId): object {
  return event('card.action.trigger', id, {
    operator: { open_id: from },
    token: 'c-1',
    action: { tag: 'button', value },
    context: { open_message_id: 'om_card', open_chat_id: group },
  });
}

function event(type: string, id: string, body: object): object {
  const header = {
    event_id: id,
    event_type: type,
    app_id: appId,
    token: 'verify-me',
    create_time: String(Date.now()),
  };
  return { schema: '2.0', header, event: body };
}

/** The same as a request: encrypted and signed. */
export function callback(
  content: object,
  encryptKey: string,
  change: { time?: number; nonce?: string; signature?: string } = {},
): { body: string; headers: Record<string, string> } {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(encryptKey).digest(), iv);
  const encrypt = Buffer.concat([iv, cipher.update(JSON.stringify(content)), cipher.final()]);
  const body = JSON.stringify({ encrypt: encrypt.toString('base64') });
  const time = String(Math.floor((change.time ?? Date.now()) / 1000));
  const nonce = change.nonce ?? randomBytes(8).toString('hex');
  const signature = createHash('sha256')
    .update(time + nonce + encryptKey + body)
    .digest('hex');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-lark-request-timestamp': time,
      'x-lark-request-nonce': nonce,
      'x-lark-signature': change.signature ?? signature,
    },
  };
}
