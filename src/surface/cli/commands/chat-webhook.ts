import { last } from '../args.ts';
import { fileIn, serveChat, sharedInput } from '../chat/serve.ts';
import type { Context } from '../context.ts';

export function run(context: Context): Promise<number> {
  const { args, world } = context;
  const out = last(args, 'out');
  const secretEnv = last(args, 'secret-env');
  const secretFile = fileIn(args, 'secret-file', world.cwd);
  const input = {
    ...sharedInput(context),
    ...(out !== undefined && { out }),
    ...(secretEnv !== undefined && { secretEnv }),
    ...(secretFile !== undefined && { secretFile }),
  };
  return serveChat(context, (chats) => chats.webhook(input));
}
