import { act, type Asked, type Heard } from './act.ts';
import { lookAt, type Desk } from './desk.ts';
import type { Intent, Locale, Sender } from './format/intent.ts';
import { route, type Route, type RouteOptions } from './format/route/route.ts';
import type { BoardLook } from './look.ts';

/** A message, and how what it asks for is to be done. */
export interface Said extends Omit<Asked, 'actor' | 'overrideAgent' | 'addressed' | 'request'> {
  text: string;
  sender: Sender;
  locale?: Locale;
  names?: Pick<RouteOptions, 'self' | 'roleOf'>;
}

/** What somebody means who writes this; nothing is done. */
export async function routed(desk: Desk, said: Omit<Said, 'signal'>): Promise<Route> {
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
export async function say(desk: Desk, given: Said): Promise<Heard> {
  const first = await understood(desk, given);
  const said = isQuestion(first.route.intent) ? given : await masked(desk, given);
  const { route: found, look } = said.text === given.text ? first : await understood(desk, said);
  const { intent, actor, addressed, overrideAgent, locale: request } = found;
  const { text: _text, sender: _sender, names: _names, ...how } = said;
  const agent = overrideAgent === undefined ? {} : { overrideAgent };
  return act(desk, intent, { ...how, actor, addressed, request, ...agent }, look);
}

/** It is not written down, and what masks takes its time to load. */
export function isQuestion({ intent }: Intent): boolean {
  return intent === 'status' || intent === 'synthesize' || intent === 'help';
}

async function masked(desk: Desk, said: Said): Promise<Said> {
  const { maskWords } = await import('../../settings/masking.ts');
  return { ...said, text: await maskWords(desk.where, said.text) };
}
