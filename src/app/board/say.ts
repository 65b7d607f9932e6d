import type { Locale, Sender } from '../../layout/board/intent.ts';
import { route, type Route, type RouteOptions } from '../../layout/board/route/route.ts';
import { act, type Asked, type Heard } from './act.ts';
import { lookAt, type Desk } from './desk.ts';
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
  return routeOn(desk, await lookAt(desk), said);
}

function routeOn(
  { protocol }: Desk,
  { has }: BoardLook,
  { text, sender, locale, names }: Omit<Said, 'signal'>,
): Route {
  const prefix = protocol.routing.directOverridePrefix;
  return route(text, sender, { ...names, prefix, ...(locale && { locale }), isTask: has });
}

/** One message: understood, done, and answered. */
export async function say(desk: Desk, said: Said): Promise<Heard> {
  const look = await lookAt(desk);
  const { intent, actor, addressed, overrideAgent, locale: request } = routeOn(desk, look, said);
  const { text: _text, sender: _sender, names: _names, ...how } = said;
  const agent = overrideAgent === undefined ? {} : { overrideAgent };
  return act(desk, intent, { ...how, actor, addressed, request, ...agent }, look);
}
