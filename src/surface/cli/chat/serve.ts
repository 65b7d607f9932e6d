import { resolve } from 'node:path';
import type { App } from '../../../app.ts';
import { last } from '../args.ts';
import { withApp, type Context } from '../context.ts';
import type { Args } from '../parse.ts';
import { NewsLines } from './news.ts';

type Chats = Awaited<ReturnType<App['chats']>>;
type Chat = ReturnType<Chats['feishu']>;
type Shared = Pick<
  Parameters<Chats['feishu']>[0],
  'env' | 'groups' | 'locale' | 'visibility' | 'listen' | 'open'
>;

/** What every chat can be told on the command line. */
export function sharedInput({ args, world }: Context): Shared {
  const groups = args.options.get('group');
  const listen = last(args, 'listen');
  const locale = oneOf(['en', 'zh', 'ja'] as const, last(args, 'locale'));
  const visibility = oneOf(
    ['milestone_only', 'handoff_visible', 'full_visible'] as const,
    last(args, 'visibility'),
  );
  return {
    env: world.env,
    ...(groups && { groups }),
    ...(listen !== undefined && { listen }),
    ...(locale && { locale }),
    ...(visibility && { visibility }),
    ...(args.options.has('open') && { open: true }),
  };
}

/** A file that was named on the command line, by its whole path. */
export function fileIn(args: Args, name: string, cwd: string): string | undefined {
  const file = last(args, name);
  return file === undefined ? undefined : resolve(cwd, file);
}

/** Serves until it is told to end, which is a good end. */
export async function serveChat(context: Context, make: (chats: Chats) => Chat): Promise<number> {
  const { args, world } = context;
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort());
  try {
    await withApp(context, async (app) => {
      const chat = make(await app.chats());
      if (args.options.has('dry-run')) return checked(context, chat, stop.signal);
      const lines = new NewsLines(context);
      lines.begin(chat.about);
      return chat.serve(stop.signal, (news) => lines.tell(news));
    });
    return 0;
  } finally {
    deaf();
  }
}

async function checked({ out, globals }: Context, chat: Chat, signal: AbortSignal): Promise<void> {
  const found = await chat.check(signal);
  const { channel, where, groups, roles } = chat.about;
  if (globals.json) return out.answer({ dryRun: true, channel, where, groups, roles, ...found });
  const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));
  out.data(`${channel} at ${where}${found.botId === undefined ? '' : `, as the bot ${found.botId}`}`);
  out.data(`groups: ${list(groups)}`);
  out.data(`roles with an id: ${list(roles)}`);
}

function oneOf<T extends string>(words: readonly T[], word: string | undefined): T | undefined {
  return words.find((one) => one === word);
}
