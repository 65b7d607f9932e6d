import type { App } from '../../../app.ts';
import type { Context } from '../context.ts';
import { visible } from '../visible.ts';

type Chat = ReturnType<Awaited<ReturnType<App['chats']>>['feishu']>;
type News = Parameters<NonNullable<Parameters<Chat['serve']>[1]>>[0];

/** What happens in a chat, line by line: for people on stderr, with --json as data on stdout. */
export class NewsLines {
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
