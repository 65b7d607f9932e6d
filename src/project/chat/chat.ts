import type { Channel, Content } from '../../channel/channel.ts';
import type { OpenIds } from '../../channel/feishu/openids.ts';
import type { Outbox } from '../../channel/outbox.ts';
import type { Digest } from '../../channel/pump.ts';
import { serve } from '../../channel/serve.ts';
import { messageOf } from '../../errors.ts';
import { sleepUnless, type Clock } from '../../io/clock.ts';
import { type Board, makeBoard } from '../../kinds/board/board.ts';
import type { FollowInput } from '../../kinds/board/follow.ts';
import type { Locale } from '../../kinds/board/format/intent.ts';
import { lookAtBoard } from '../../kinds/board/look.ts';
import { boardMail } from '../../kinds/board/outbox.ts';
import type { Told } from '../../kinds/board/told.ts';
import { digestNotice, readHead } from '../../render/board/notice.ts';
import { maskingFor } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { trustInChat } from '../../settings/trust.ts';
import type { Chat, ChatInput, ChatNews } from './api.ts';
import { GroupLanguage, readCursor, writeCursor } from './chat-state.ts';
import { handle } from './handle.ts';
import { postingOf } from './mail.ts';
import { actorOf } from './people.ts';

export interface Setup {
  channel: Channel;
  /** Who is who; where their file is found wrong, that is told. */
  roles: OpenIds & { onWrong?: (message: string) => void };
  groups: readonly string[];
  /** The address where it listens, or that of the service. */
  place: string;
  /** Variables that agents and checks must not see. */
  secrets: readonly string[];
  mentionOf: (role: string) => string;
  settleMs?: number;
  check: Chat['check'];
}

/** An answer that takes longer does not hold up what others are told. */
const longestQuietMs = 3000;
const lookEveryMs = 5000;

export function chatFor(where: Project, input: ChatInput, setup: Setup): Chat {
  const { channel, groups, roles, place, check } = setup;
  return {
    about: { channel: channel.name, where: place, groups, roles: [...roles.byRole.keys()] },
    check,
    serve: async (signal, onNews = () => undefined) => {
      const board = makeBoard({ ...where, env: without(where.env, setup.secrets) });
      const close = await board.keepOpen();
      try {
        await served(where, board, input, setup, signal, onNews);
      } finally {
        await close();
      }
    },
  };
}

/** Hears and answers, tells what happens, and does what was ordered for later: all of it, or nothing. */
async function served(
  where: Project,
  board: Board,
  { locale, visibility }: ChatInput,
  { channel, roles, groups, mentionOf, settleMs }: Setup,
  signal: AbortSignal,
  onNews: (news: ChatNews) => void,
): Promise<void> {
  const config = await readConfig(where.root, where.env);
  const mail = boardMail(where.root, { clock: where.clock, masker: maskingFor(where, config) });
  const { outbox } = mail;
  const wrong = (text: string): void => onNews({ kind: 'trouble', text });
  roles.onWrong = wrong;
  let { agents, channel: wanted } = await board.refresh(wrong);
  const refreshed = async (): Promise<void> => void ({ agents } = await board.refresh(wrong));
  // The board's own file may choose among the groups that are allowed, and add none.
  const group = groups.find((one) => one === wanted.groupId) ?? groups[0];
  const language = new GroupLanguage(where.root, locale);
  const how = { mentionOf, ...(visibility && { visibility }) };
  const who = (openId: string): string => actorOf(openId, roles, agents);
  const trustOf = (openId: string) => trustInChat(openId, who(openId), config);
  let answering: Promise<unknown> = Promise.resolve();
  const telling = (stop: AbortSignal): Promise<void> =>
    follow({
      board,
      where,
      outbox,
      group: group ?? '',
      how: { ...how, locale: () => language.locale, signal: stop },
      quiet: () => settled(answering),
      onTold: ({ key, taskId }) => onNews({ kind: 'told', group: group ?? '', key, taskId }),
    });
  const working = async (stop: AbortSignal): Promise<void> => {
    const onStep = ({ taskId, decision }: { taskId: string; decision: string }): void =>
      onNews({ kind: 'autopilot', taskId, outcome: decision });
    const onFault = (fault: unknown): void => onNews({ kind: 'trouble', text: messageOf(fault) });
    await board.autopilot({ signal: stop, forever: true, onStep, onFault, locale: () => language.locale });
  };
  /** Also while nobody says anything: workers are judged and facts told by the rules as they are. */
  const looking = async (stop: AbortSignal): Promise<void> => {
    for (; !stop.aborted; await refreshed()) await sleepUnless(lookEveryMs, stop);
  };
  await serve({
    ...mail,
    channel,
    signal,
    clock: where.clock,
    digest: digestIn(language),
    ...(settleMs !== undefined && { settleMs }),
    sorry,
    handle: (inbound, stop) => {
      const counter = {
        board,
        channel: channel.name,
        outbox,
        roles,
        actorOf: who,
        trustOf,
        group: group ?? '',
        how: { ...how, ...(locale && { locale }) },
        language,
        onNews,
      };
      const answer = refreshed().then(() => handle(counter, inbound, stop));
      answering = answer;
      return answer;
    },
    // Without a group there is nobody to tell.
    beside: [...(group === undefined ? [] : [telling]), working, looking],
    onNote: onNews,
    onTrouble: onNews,
  });
}

function without(env: Project['env'], names: readonly string[]): Project['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

async function settled(work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  work.then(end, end);
  await sleepUnless(longestQuietMs, over.signal);
}

const foldOver = 10;

/** When more than so many notices wait for a group: how many of what, and which tasks. */
function digestIn(language: { readonly locale: Locale }): Digest {
  const render = (texts: readonly string[]): string =>
    digestNotice(
      texts.map((text) => readHead(text) ?? { tag: '[TASK]' }),
      language.locale,
    );
  return { over: foldOver, render };
}

/** Why stands in docket's own terminal: it may name files and settings. */
const sorry: Content = {
  kind: 'text',
  text: '[TASK] docket 内部出错，未能处理这条消息 | docket could not act on this message: see its terminal',
};

interface FollowOptions {
  board: Board;
  where: { root: string; clock: Clock };
  outbox: Outbox;
  /** Who is told. */
  group: string;
  how: Omit<FollowInput, 'after'>;
  /** Resolves when nobody is about to tell the same in the words of who asked for it. */
  quiet: () => Promise<void>;
  onTold: (told: Told) => void;
}

/**
 * Tells a group what happens on the board, whoever made it happen: reads the log on from where it was and puts what is
 * to be told into the outbox, under keys that are the log's own. Killed anywhere, everything is told and nothing twice.
 */
async function follow({ board, where, outbox, group, how, quiet, onTold }: FollowOptions): Promise<void> {
  const after = await startOf(where, group);
  for await (const { seq, told } of board.follow({ ...how, after })) {
    if (told.length === 0) continue;
    await quiet();
    await outbox.enqueue(told.map((one) => postingOf(one, group)));
    writeCursor(where.root, { seq, group });
    for (const one of told) onTold(one);
  }
}

/** The past of a board is not news: the first time it begins at the end of the log, and that is written down at once. */
async function startOf({ root, clock }: { root: string; clock: Clock }, group: string): Promise<number> {
  const known = readCursor(root);
  const { seq: end } = await lookAtBoard({ root, clock });
  // A log that is shorter than what was told is another one.
  const seq = known !== undefined && known.seq <= end ? known.seq : end;
  if (known?.seq !== seq || known.group !== group) writeCursor(root, { seq, group });
  return seq;
}
