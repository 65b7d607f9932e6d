import path from 'node:path';

/** Where docket keeps what belongs to the user and to no project: DOCKET_STATE moves it. Undefined: nobody has a home. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { DOCKET_STATE: own, XDG_STATE_HOME: xdg, HOME: home } = env;
  if (own) return path.resolve(own);
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'docket');
  return home ? path.join(home, '.local', 'state', 'docket') : undefined;
}
