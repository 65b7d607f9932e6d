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
import type { LiveRules } from './rules.ts';
import type { AutopilotRan } from './steps.ts';

/** Who does what: tasks that people and agents claim, in their own words. */
export interface Board {
  /** Understands a message, does what it says, and answers. */
  say(said: Said): Promise<Heard>;
  /** The same for who knows what they want without a text. */
  act(intent: Intent, asked: Asked): Promise<Heard>;
  /** What a message means. Changes nothing. */
  route(said: Omit<Said, 'signal'>): Promise<Route>;
  /** All tasks, without a lock and without writing a byte. */
  list(): Promise<TaskView[]>;
  /** Gives tasks to workers, as far as that is ordered: `auto progress on`, `autopilot N`, dispatches of the mode spawn. */
  autopilot(input: AutopilotInput): Promise<AutopilotRan>;
  /** What the group is told, from a line of the log on, as it comes. */
  follow(input: FollowInput): AsyncIterable<News>;
  /** Opens the files once for many commands; resolves to what closes them. */
  keepOpen(): Promise<() => Promise<void>>;
  /** Lets the rules hold as their files have them now; a file that is wrong is told about, and changes nothing. */
  refresh(onWrong: (message: string) => void): Promise<Protocol>;
}

/** `fallback`: a folder whose rules hold where the board has none. */
export function makeBoard(where: Project, fallback?: string): Board {
  const desk = deskAt(where, fallback);
  let rules: LiveRules | undefined;
  const withoutSecrets = async (intent: Intent): Promise<Intent> =>
    isQuestion(intent) ? intent : (await import('../../settings/masking.ts')).maskWords(where, intent);
  return {
    say: (said) => say(desk, said),
    act: async (intent, asked) => act(desk, await withoutSecrets(intent), asked),
    route: (said) => routed(desk, said),
    list: async () => (await lookAt(desk)).all(),
    autopilot: async (input) => (await import('./autopilot.ts')).autopilot(desk, input),
    async *follow(input) {
      const { follow } = await import('./follow.ts');
      yield* follow(desk, input);
    },
    keepOpen: () => keepOpen(desk),
    async refresh(onWrong) {
      rules ??= new (await import('./rules.ts')).LiveRules(desk, fallback);
      return rules.look(onWrong);
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

/** What somebody means who writes this; nothing is done. */
async function routed(desk: Desk, said: Omit<Said, 'signal'>): Promise<Route> {
  return (await understood(desk, said)).route;
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

/** One message: understood, done, and answered. Who says a secret has said it to the chat only. */
async function say(desk: Desk, given: Said): Promise<Heard> {
  const first = await understood(desk, given);
  const said = isQuestion(first.route.intent) ? given : await masked(desk, given);
  const { route: found, look } = said.text === given.text ? first : await understood(desk, said);
  const { intent, actor, addressed, overrideAgent, locale: request } = found;
  const { text: _text, sender: _sender, names: _names, ...how } = said;
  const agent = overrideAgent === undefined ? {} : { overrideAgent };
  return act(desk, intent, { ...how, actor, addressed, request, ...agent }, look);
}

/** It is not written down, and what masks takes its time to load. */
function isQuestion({ intent }: Intent): boolean {
  return intent === 'status' || intent === 'synthesize' || intent === 'help';
}

async function masked(desk: Desk, said: Said): Promise<Said> {
  const { maskWords } = await import('../../settings/masking.ts');
  return { ...said, text: await maskWords(desk.where, said.text) };
}
