import fs from 'node:fs';
import path from 'node:path';
import { chatProcess, type ChatProcess } from './chat-process.ts';
import { actionEvent, messageEvent } from './feishu-events.ts';
import { appId, appSecret, botId, groupId, type FeishuServer } from './feishu-server.ts';
import { scratch } from './scratch.ts';
import { until } from './serving.ts';

/** A project with two things to do, and a board whose people Feishu knows. */
export function boardProject(): { root: string; shop: string } {
  const root = scratch();
  const shop = path.join(root, 'shop');
  fs.mkdirSync(shop);
  fs.writeFileSync(
    path.join(shop, 'README.md'),
    '# Shop\n\n- M1: build the cart\n- M2: build the checkout\n',
  );
  fs.mkdirSync(path.join(root, 'config'));
  const byRole = {
    coder: { open_id: 'ou_coder', name: 'Coder' },
    orchestrator: { open_id: botId, name: 'Orchestrator' },
  };
  fs.writeFileSync(path.join(root, 'config/feishu-bot-openids.json'), JSON.stringify({ byRole }));
  return { root, shop };
}

interface CardJson {
  elements: { actions?: { value: { action: string; taskId: string; times: number } }[] }[];
}

/** The people of a group, and what they see. */
export class FeishuGroup {
  readonly server: FeishuServer;
  #said = 0;

  constructor(server: FeishuServer) {
    this.server = server;
  }

  /** Delivered as often as one likes; resolves when docket has it. */
  async say(text: string, from = 'ou_ann', { at = Date.now(), times = 1 } = {}): Promise<void> {
    this.#said += 1;
    const senderType = from === 'ou_coder' ? 'app' : 'user';
    const event = messageEvent({ id: `om_${this.#said}`, text, from, senderType, at, mentionsBot: true });
    for (let time = 0; time < times; time += 1) await this.server.deliver(event);
  }

  /** The button of the last card about a task. */
  button(taskId: string, action: string) {
    const cards = this.server.shown.filter(({ type }) => type === 'interactive');
    const values = cards.flatMap(({ content }) =>
      (content as CardJson).elements.flatMap(({ actions = [] }) => actions.map(({ value }) => value)),
    );
    return values.findLast((value) => value.taskId === taskId && value.action === action)!;
  }

  async press(value: object, id: string, from = 'ou_ann'): Promise<string> {
    const { data } = await this.server.deliver(actionEvent(id, value, from));
    return (data as { toast?: { content: string } }).toast?.content ?? '';
  }

  /** The first line of everything that is seen. */
  get lines(): string[] {
    return this.server.shown.map(({ type, content }) =>
      type === 'text'
        ? (content as { text: string }).text.split('\n')[0]!
        : (content as { header: { title: { content: string } } }).header.title.content,
    );
  }

  sees(start: string, times = 1): Promise<void> {
    return until(() => this.lines.filter((line) => line.startsWith(start)).length >= times);
  }
}

/** `docket chat feishu` as a process, when it hears. */
export async function serveFeishu(root: string, server: FeishuServer): Promise<ChatProcess> {
  const chat = chatProcess(root, ['feishu', '--locale', 'en'], {
    ...process.env,
    FEISHU_APP_ID: appId,
    FEISHU_APP_SECRET: appSecret,
    FEISHU_DOMAIN: server.domain,
    FEISHU_GROUPS: groupId,
  });
  await chat.said('ready');
  return chat;
}
