import { mention } from '../../render/board/notice.ts';
import type { Outcome, TaskView } from '../../render/board/outcome.ts';
import { replyTo } from '../../render/board/reply.ts';
import { synthesisReport } from '../../render/board/status.ts';
import type { Event, Trust } from '../../task/schema.ts';
import { type Desk, lookAt } from './desk.ts';
import type { DispatchMode } from './format/extras.ts';
import { isShortId, wholeId } from './format/ids.ts';
import type { Intent, Locale } from './format/intent.ts';
import { allows } from './format/protocol.ts';
import type { Route } from './format/route/route.ts';
import type { BoardLook } from './look.ts';
import type { Spawning } from './spawn-order.ts';
import type { SpawnStep } from './steps.ts';
import type { Told, Visibility } from './told.ts';

/** Who asks for something, and how they want it done. */
export interface Asked {
  actor: string;
  /** `@agent` in front of the command: who it is meant for. */
  overrideAgent?: string;
  /** It is said to the orchestrator: then anybody may ask for what only it does. */
  addressed?: boolean;
  /** The language of the request. */
  request?: Locale;
  /** The language of answers and notices, whatever the request's. */
  locale?: Locale;
  /** The language of notices to the group, and of what is written down for them; default: that of the answer. */
  noticeLocale?: Locale;
  /** Whose words these are, where it is not the person in charge. No message can say it. */
  trust?: Trust;
  /** What is written down for it is written down once: the same key again changes nothing. */
  key?: string;
  /** Kept with the key: what it was used for. */
  digest?: string;
  /** An answer to this asking of the task (a card's); where it was asked anew since, nothing is done. */
  times?: number;
  /** How tasks are given to agents. Default: by hand; a project's first task as auto progress is set. */
  mode?: DispatchMode;
  /** What takes long is written down for the loop that is always there (`Board.autopilot`), and answered at once. */
  later?: boolean;
  /** A worker is ended when it takes longer; default: what its settings say. */
  timeoutSec?: number;
  /** The chat's group that it is said in; questions to a role are counted by it. */
  group?: string;
  /** So long nobody is asked again to make something clear; default 300. */
  cooldownSec?: number;
  /** Asked again all the same. */
  force?: boolean;
  /** Whether a question reaches anybody: one that nobody gets starts no cooldown. Absent: the caller passes it on. */
  isHeard?: () => boolean | Promise<boolean>;
  visibility?: Visibility;
  /** Who may speak to the group; default: what the board's file says. */
  broadcasters?: readonly string[];
  /** How somebody is called in the chat. */
  mentionOf?: (role: string) => string;
  /** A worker that docket started has come to its end. */
  onStep?: (step: SpawnStep) => void;
  /** What such workers do meanwhile. */
  onProgress?: Spawning['onProgress'];
  signal: AbortSignal;
}

/** The answer to a message. */
export interface Heard {
  route: Route;
  outcome: Outcome;
  /** One to three lines, in the language of the request. */
  reply: string;
  /** What others are told. All but those with `seq` 0 can be made again from the log. */
  notices: readonly Told[];
  events: readonly Event[];
  /** Of an attempt to finish. */
  acceptance?: { ok: boolean; reasonCode: string; reason: string };
}

/** What came of it, before anybody is told. */
export type Done = Pick<Heard, 'outcome' | 'events' | 'acceptance'> & { notices?: readonly Told[] };

/** Does what somebody wants, and answers. `look`: the board as they saw it, if somebody has looked. */
export async function act(desk: Desk, wanted: Intent, asked: Asked, look?: BoardLook): Promise<Heard> {
  const intent = await withWholeId(desk, wanted, look);
  const { actor, overrideAgent, locale, request = locale ?? 'en' } = asked;
  const route: Route = {
    intent,
    actor,
    addressed: asked.addressed ?? false,
    locale: request,
    ...(overrideAgent !== undefined && { overrideAgent }),
  };
  const done = await acted(desk, route, asked, look);
  const { outcome, events, acceptance } = done;
  return {
    route,
    outcome,
    reply: replyTo(outcome, locale ?? request),
    notices: done.notices ?? (await told(desk, done, asked)),
    events,
    ...(acceptance && { acceptance }),
  };
}

/** What is made gets the id that was asked for. */
async function withWholeId(desk: Desk, intent: Intent, look?: BoardLook): Promise<Intent> {
  if (intent.intent === 'create_task' || !('taskId' in intent) || intent.taskId === undefined) return intent;
  if (!isShortId(intent.taskId)) return intent;
  const { has } = look ?? (await lookAt(desk));
  return { ...intent, taskId: wholeId(intent.taskId, has) };
}

async function acted(desk: Desk, route: Route, asked: Asked, look?: BoardLook): Promise<Done> {
  const { intent, locale } = route;
  const allowed = allows(desk.protocol, route);
  if (allowed !== true) return refused(intent, 'forbidden', allowed.reason[asked.locale ?? locale]);
  const long = tooLong(route, asked.locale ?? locale);
  if (long !== undefined) return refused(intent, 'invalid', long);
  switch (intent.intent) {
    case 'help':
      return only({ kind: 'help' });
    case 'ignored_loop':
      return only({ kind: 'silent' });
    case 'unknown': {
      const { raw, suggestion } = intent;
      return only({ kind: 'unknown', raw, ...(suggestion !== undefined && { suggestion }) });
    }
    case 'status':
      return only(statusOf(look ?? (await lookAt(desk)), intent));
    case 'synthesize': {
      const report = synthesisReport((look ?? (await lookAt(desk))).all(), intent.taskId);
      return only({ kind: 'synthesis', report });
    }
    default: {
      const { changed } = await import('./change.ts'); // who only looks is not to wait for what writers need
      return changed(desk, intent, route, asked);
    }
  }
}

const shown = { short: 3, full: 6 };

function statusOf(look: BoardLook, { taskId, full }: Extract<Intent, { intent: 'status' }>): Outcome {
  if (taskId === undefined) {
    const summary = look.summary(full ? shown.full : shown.short);
    return { kind: 'status', summary, ...(full && { full }) };
  }
  const task = look.get(taskId);
  return task ? { kind: 'task', task } : { kind: 'refused', code: 'not_found', intent: 'status', taskId };
}

/** In the group's language, else that of the answer. */
export function noticeLocaleOf({ noticeLocale, locale, request = 'en' }: Asked): Locale {
  return noticeLocale ?? locale ?? request;
}

async function told(desk: Desk, { outcome, events }: Done, asked: Asked): Promise<Told[]> {
  if (events.length === 0) return [];
  const [get, { toldOf }] = await Promise.all([taskOf(desk, outcome, events), import('./told.ts')]);
  return toldOf(events, get, {
    locale: noticeLocaleOf(asked),
    visibility: visibilityOf(desk, asked.visibility),
    mentionOf: asked.mentionOf ?? mention,
    broadcasters: asked.broadcasters ?? desk.protocol.broadcasters,
  });
}

/** The answer mostly has the only task that it is about, as it is now. */
async function taskOf(
  desk: Desk,
  outcome: Outcome,
  events: readonly Event[],
): Promise<(id: string) => TaskView | undefined> {
  const task = outcome.kind === 'moved' ? outcome.task : undefined;
  const isAll = task && events.every(({ taskId }) => taskId === task.taskId);
  return isAll ? () => task : (await lookAt(desk)).get;
}

/** What whoever runs docket wants goes before what the board's file says. */
export function visibilityOf({ protocol }: Desk, wanted?: Visibility): Visibility {
  return wanted ?? (protocol.channel.milestoneOnly ? 'milestone_only' : 'full_visible');
}

export function only(outcome: Outcome): Done {
  return { outcome, events: [] };
}

function refused({ intent }: Intent, code: 'forbidden' | 'invalid', detail: string): Done {
  return only({ kind: 'refused', code, intent, detail });
}

/** What is kept of a text, whole; what is shown of it is much shorter. */
const longestText = 20_000;
const longestName = 256;

/** Why a text or a name is not taken, if it is not: nothing is cut in silence. */
function tooLong({ intent, actor, overrideAgent = '' }: Route, locale: Locale): string | undefined {
  if (intent.intent === 'unknown' || intent.intent === 'ignored_loop') return undefined;
  if (Math.max(actor.length, overrideAgent.length) > longestName) return names[locale];
  const texts = Object.values(intent).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]));
  const longest = Math.max(...texts.map((text: unknown) => (typeof text === 'string' ? text.length : 0)));
  return longest > longestText ? sentences[locale](longest) : undefined;
}

const names: Record<Locale, string> = {
  en: `a name may have ${longestName} characters`,
  zh: `名称最多 ${longestName} 个字符`,
  ja: `名前は ${longestName} 文字までです`,
};

const sentences: Record<Locale, (length: number) => string> = {
  en: (length) =>
    `the text has ${length} characters, and ${longestText} are kept; put it into a file and name that`,
  zh: (length) => `文本有 ${length} 个字符，最多保留 ${longestText} 个；请放进文件并写明文件名`,
  ja: (length) =>
    `本文が ${length} 文字あります（上限 ${longestText}）。ファイルに入れて名前を書いてください`,
};
