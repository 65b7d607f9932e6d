/** What every program may know about the user and the machine. No keys: those an adapter asks for by name. */
const common = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  'TERM',
  'COLORTERM',
  'XDG_*',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
];

/** Ours, whatever asks for it: a docket inside an agent must not take itself for the one outside. */
const never = /^DOCKET_/;
const shellName = /^[A-Za-z_]\w*$/;

/**
 * The environment of an agent: of the user's own what is common or asked for (`pass`: names, or beginnings such as
 * `OPENAI_*`), then what the settings say (`add`).
 */
export function allowedEnv(
  env: Readonly<Record<string, string | undefined>>,
  wish: { pass?: readonly string[]; add?: Readonly<Record<string, string>>; cwd: string },
): Record<string, string> {
  const isAllowed = matcher([...common, ...(wish.pass ?? [])]);
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && shellName.test(name) && !never.test(name) && isAllowed(name))
      allowed[name] = value;
  return { ...allowed, ...wish.add, PWD: wish.cwd };
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set(patterns);
  const beginnings = patterns
    .filter((pattern) => pattern.endsWith('*'))
    .map((pattern) => pattern.slice(0, -1));
  return (name) => names.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}
