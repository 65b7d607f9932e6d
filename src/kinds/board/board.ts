import type { TaskView } from '../../render/board/outcome.ts';
import type { Project } from '../../settings/project.ts';
import { act, type Asked, type Heard } from './act.ts';
import type { AutopilotInput } from './autopilot.ts';
import { deskAt, keepOpen, lookAt, type Desk } from './desk.ts';
import type { FollowInput, News } from './follow.ts';
import type { Intent, Locale, Sender } from './format/intent.ts';
import type { Protocol } from './format/protocol.ts';
import { type Route, route, type RouteOptions } from './format/route/route.ts';
import type { BoardLook } from './look.ts';
import type { liveRules } from './rules.ts';
import type { AutopilotRan } from './steps.ts';

/** Who does what: tasks that people and agents claim, in their own words. */
export type Board = ReturnType<typeof makeBoard>;

/** `fallback`: a folder whose rules hold where the board has none. */
export function makeBoard(where: Project, fallback?: string) {
  const desk = deskAt(where, fallback);
  let rules: ReturnType<typeof liveRules> | undefined;
  return {
    /** Understands a message, does what it says, and answers. */
    say: (said: Said): Promise<Heard> => say(desk, said),
    /** The same for who knows what they want without a text. */
    act: async (intent: Intent, asked: Asked): Promise<Heard> =>
      act(desk, await masked(where, intent, intent), asked),
    /** What a message means. Changes nothing. */
    route: async (said: Omit<Said, 'signal'>): Promise<Route> => (await understood(desk, said)).route,
    /** All tasks, without a lock and without writing a byte. */
    list: async (): Promise<TaskView[]> => (await lookAt(desk)).all(),
    /** Gives tasks to workers, as far as that is ordered: `auto progress on`, `autopilot N`, dispatches of the mode spawn. */
    autopilot: async (input: AutopilotInput): Promise<AutopilotRan> =>
      (await import('./autopilot.ts')).autopilot(desk, input),
    /** What the group is told, from a line of the log on, as it comes. */
    async *follow(input: FollowInput): AsyncIterable<News> {
      const { follow } = await import('./follow.ts');
      yield* follow(desk, input);
    },
    /** Opens the files once for many commands; resolves to what closes them. */
    keepOpen: () => keepOpen(desk),
    /** Lets the rules hold as their files have them now; a file that is wrong is told about, and changes nothing. */
    async refresh(onWrong: (message: string) => void): Promise<Protocol> {
      rules ??= (await import('./rules.ts')).liveRules(desk, fallback);
      rules.onWrong = onWrong;
      const { policy, protocol } = rules.value;
      Object.assign(desk, { policy, protocol });
      return protocol;
    },
  };
}

/** A message, and how what it asks for is to be done. */
export interface Said extends Omit<Asked, 'actor' | 'overrideAgent' | 'addressed' | 'request'> {
  text: string;
  sender: Sender;
  locale?: Locale;
  names?: Pick<RouteOptions, 'self' | 'roleOf'>;
}

/** Most words say by themselves what they mean; where that depends on which tasks there are, the board is looked at. */
async function understood(
  desk: Desk,
  said: Omit<Said, 'signal'>,
): Promise<{ route: Route; look?: BoardLook }> {
  let depends = false;
  const route = routeOn(desk, said, () => {
    depends = true;
    return false;
  });
  if (!depends) return { route };
  const look = await lookAt(desk);
  return { route: routeOn(desk, said, look.has), look };
}

function routeOn(
  { protocol }: Desk,
  { text, sender, locale, names }: Omit<Said, 'signal'>,
  isTask: BoardLook['has'],
): Route {
  const prefix = protocol.routing.directOverridePrefix;
  return route(text, sender, { ...names, prefix, ...(locale && { locale }), isTask });
}

/** One message: understood, done, and answered. */
async function say(desk: Desk, said: Said): Promise<Heard> {
  const first = await understood(desk, said);
  const text = await masked(desk.where, first.route.intent, said.text);
  const { route: found, look } = text === said.text ? first : await understood(desk, { ...said, text });
  const { intent, actor, addressed, overrideAgent, locale: request } = found;
  const { text: _text, sender: _sender, names: _names, ...how } = said;
  const agent = overrideAgent === undefined ? {} : { overrideAgent };
  return act(desk, intent, { ...how, actor, addressed, request, ...agent }, look);
}

/** Who says a secret has said it to the chat only. A question is not written down, and masking takes its time to load. */
async function masked<T>(where: Project, { intent }: Intent, words: T): Promise<T> {
  if (intent === 'status' || intent === 'synthesize' || intent === 'help') return words;
  return (await import('../../settings/masking.ts')).maskWords(where, words);
}
