import { fileIn, serveChat, sharedInput } from '../chat/serve.ts';
import type { Context } from '../context.ts';

export function run(context: Context): Promise<number> {
  const config = fileIn(context.args, 'config', context.world.cwd);
  const input = { ...sharedInput(context), ...(config !== undefined && { config }) };
  return serveChat(context, (chats) => chats.feishu(input));
}
