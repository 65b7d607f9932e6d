import { serve } from '../chat/answer.ts';
import { fileIn, serveChat, sharedInput } from '../chat/serve.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { listen, serving } from '../frame/options.ts';

export const command: Definition = {
  options: [
    listen,
    { name: 'out', summary: 'Post messages to this address', value: { kind: 'text', label: 'URL' } },
    {
      name: 'secret-env',
      summary: 'The variable with the secret that signs both ways',
      value: { kind: 'text', label: 'NAME' },
    },
    {
      name: 'secret-file',
      summary: 'The same from a file (chmod 600)',
      value: { kind: 'file', label: 'FILE' },
    },
    ...serving,
  ],
  notes: ['Default: --listen 127.0.0.1:8787 --secret-env DOCKET_HOOK_SECRET'],
  examples: ['docket chat webhook --group team --out https://chat.example/hook'],
  answer: serve,
  run,
};

function run(context: Context): Promise<number> {
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
