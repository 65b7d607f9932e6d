import { serve } from '../chat/answer.ts';
import { fileIn, serveChat, sharedInput } from '../chat/serve.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { listen, serving } from '../frame/options.ts';

export const command: Definition = {
  options: [
    { name: 'config', summary: 'Settings (JSON, chmod 600)', value: { kind: 'file', label: 'FILE' } },
    listen,
    ...serving,
  ],
  notes: [
    'Set FEISHU_APP_ID and FEISHU_APP_SECRET, or write them to FILE. Without',
    '--listen it keeps a long connection. A group that is not on the list is not',
    'heard: its id is shown, so that it can be put there. --json: a line each.',
  ],
  examples: ['docket chat feishu --group oc_0123', 'docket chat feishu --config feishu.json --dry-run'],
  answer: serve,
  run,
};

function run(context: Context): Promise<number> {
  const config = fileIn(context.args, 'config', context.world.cwd);
  const input = { ...sharedInput(context), ...(config !== undefined && { config }) };
  return serveChat(context, (chats) => chats.feishu(input));
}
