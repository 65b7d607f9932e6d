import { resolve } from 'node:path';
import type { Docket } from '../../../project/docket.ts';
import { last } from '../frame/args.ts';
import { type Context, withDocket } from '../frame/context.ts';
import type { Args } from '../frame/parse.ts';
import { visible } from '../frame/visible.ts';

type Chats = Awaited<ReturnType<Docket['chats']>>;
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
    await withDocket(context, async (docket) => {
      const chat = make(await docket.chats());
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

type News = Parameters<NonNullable<Parameters<Chat['serve']>[1]>>[0];

/** What happens in a chat, line by line: for people on stderr, with --json as data on stdout. */
class NewsLines {
  readonly #context: Context;
  /** A busy group that is not listened to is named once. */
  readonly #ignored = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
  }

  begin({ channel, groups }: Chat['about']): void {
    const { out } = this.#context;
    if (groups.length === 0)
      out.alarm(
        'no group is on the list, so nobody is heard: write to the bot in your group and its id is shown here',
      );
    else out.talk(`Serving the board by ${channel} (Ctrl-C to stop).`);
  }

  tell(news: News): void {
    const { out, globals, world } = this.#context;
    if (globals.json) return out.line({ v: 1, at: new Date(world.now()).toISOString(), ...news });
    const line = this.#words(news);
    if (line === undefined) return;
    const time = new Date(world.now()).toISOString().slice(11, 19);
    if (isTrouble(news)) out.alarm(`${time}  ${visible(line)}`);
    else out.talk(`${time}  ${visible(line)}`);
  }

  #words(news: News): string | undefined {
    switch (news.kind) {
      case 'ready':
        return `listening: ${news.where}`;
      case 'connection':
        return news.state === 'lost' ? 'the connection is lost; connecting again' : 'connected again';
      case 'ignored':
        return this.#ignoredWords(news.why, news.group);
      case 'refused':
        return `refused a request: ${news.why}`;
      case 'trouble':
        return news.text;
      case 'retry':
        return `not sent to ${news.group}, again in ${Math.ceil(news.inMs / 1000)} s: ${news.why}`;
      case 'given-up':
        return `given up a message to ${news.group}: ${news.why} (docket chat retry sends it again)`;
      case 'unreadable':
        return `${news.file} is no message of docket; put aside`;
      case 'heard':
        return `${news.by}: ${news.intent}${news.taskId === undefined ? '' : ` ${news.taskId}`}: ${news.outcome}`;
      case 'told':
        return `told ${news.group} about ${news.taskId}`;
      case 'autopilot':
        return `autopilot: ${news.taskId}: ${news.outcome}`;
    }
  }

  #ignoredWords(why: 'group' | 'own' | 'unreadable', group: string): string | undefined {
    if (why === 'own') return undefined;
    if (why === 'unreadable') return `a message in ${group} has no words; left alone`;
    if (this.#ignored.has(group) || this.#ignored.size > 1000) return undefined;
    this.#ignored.add(group);
    return `not heard: the group ${group} is not on the list; to hear it: --group ${group}`;
  }
}

function isTrouble({ kind }: News): boolean {
  return kind === 'trouble' || kind === 'given-up' || kind === 'unreadable';
}
