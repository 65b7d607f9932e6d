import type { Adapter } from './adapter.ts';

/** All whom it may talk to: its own addresses, and others that the user's environment names. */
export function hostsFor(
  { hosts = [], passEnv }: Adapter,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return [...hosts, ...addressesIn(passEnv, env)];
}

/** Another address of the vendor's, where the user's environment names one. */
function addressesIn(names: readonly string[], env: Readonly<Record<string, string | undefined>>): string[] {
  const isPassed = (name: string): boolean =>
    names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
  return Object.entries(env).flatMap(([name, value]) => {
    if (!/_(?:BASE_URL|API_BASE|ENDPOINT)$/.test(name) || !isPassed(name) || !URL.canParse(value ?? ''))
      return [];
    const { protocol, hostname, port } = new URL(value ?? '');
    return hostname === '' ? [] : [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`];
  });
}

/** Keys to more than a model. Whoever needs one of them names it in the settings. */
const widely =
  /^(?:AWS_|AZURE_|CLOUDSDK_|GOOGLE_APPLICATION_CREDENTIALS$|GOOGLE_CLOUD_|GH_|GITHUB_|GITLAB_|GIT_|NPM_|NODE_AUTH_|SSH_)/;

/** Which variables of the user's environment reach the agent: what its provider needs, and what the settings name. */
export function neededEnv(
  { passEnv, loginEnv = [] }: Adapter,
  named: readonly string[],
): (variable: string) => boolean {
  const own = [...loginEnv, ...named];
  return (variable) =>
    own.includes(variable) ||
    (!widely.test(variable) &&
      passEnv.some((one) => (one.endsWith('*') ? variable.startsWith(one.slice(0, -1)) : one === variable)));
}
