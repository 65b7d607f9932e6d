const speaksOfSecrets = /token|secret|passw|passphrase|credential|api_?key|[_-](?:key|auth|pass|pwd)$/i;
/** It says where a secret is, how long it lives or how many there are, and is none itself. */
const aboutOne = /[_-](?:file|path|dir|sock|url|uri|host|name|user|id|ttl|type|prefix|tokens|limit|count)$/i;
/** Shorter ones occur in any text by chance. */
const shortest = 8;
/** Words that stand for a choice, not for a secret. */
const common =
  /^(?:true|false|null|none|undefined|required|optional|enabled|disabled|default|anonymous|changeme|password|keychain|keyring|localhost|development|production|\$\{?\w+\}?|\*+|x+|<[^>]*>)$/i;
const pathLike = /^(?:~|\.{1,2})?(?:\/[\w.@+-]+){2,}\/?$/;
const randomPart = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[^/]{20,}$/;

/** Not short, no word that anybody could mean, and no path: masking those would only make texts unreadable. */
export function isWorthMasking(value: string): boolean {
  if (value.length < shortest || common.test(value)) return false;
  return !pathLike.test(value) || value.split('/').some((part) => randomPart.test(part));
}

/** The secrets that the environment holds, by the names of its variables. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && speaksOfSecrets.test(name) && !aboutOne.test(name) && isWorthMasking(value.trim())
      ? [value.trim()]
      : [],
  );
  return [...new Set(values)];
}

/** Every way in which these values are written: as they are, in JSON, in JSON inside of JSON, in an address, in base64. */
export function spellingsOf(secrets: readonly string[]): string[] {
  const spellings = secrets
    .flatMap((secret) => [secret, ...linesOf(secret).filter((line) => line.length >= shortest)])
    .flatMap((text) => [text, quoted(text), quoted(quoted(text)), inAddress(text), ...inBase64(text)]);
  const slashed = spellings.map((text) => text.replaceAll('/', String.raw`\/`));
  // The longest first: of two that begin alike the whole of the longer one goes.
  return [...new Set([...spellings, ...slashed])]
    .filter((text) => text !== '')
    .toSorted((a, b) => b.length - a.length);
}

/** Finds these very values, however they are spelled, and line by line. For `redact`. */
export function literally(secrets: readonly string[]): RegExp[] {
  const all = spellingsOf(secrets);
  const whole = secrets.map(linesOf).filter((lines) => lines.length > 1);
  const patterns = [...whole.map((lines) => lines.map(escaped).join(between)), ...all.map(escaped)];
  return patterns.length === 0 ? [] : [new RegExp(patterns.join('|'), 'g')];
}

/** What may stand between two lines that were indented, quoted, escaped or joined. */
const between = String.raw`(?:\s|\\[nrt]|["'>|,;+#*/-]){1,64}?`;

function linesOf(secret: string): string[] {
  return secret
    .split(/\r?\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * It may stand behind something else (`user:password`), so it begins at one of three places in a group. Without the
 * letters at its ends: those depend on what is around it. Shorter ones occur by chance.
 */
function inBase64(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const coded = Buffer.from('\0'.repeat(before) + text)
      .toString('base64')
      .replace(/=+$/, '');
    const own = coded.slice(before === 0 ? 0 : before + 1);
    if (own.length < 16) return [];
    const sure = own.slice(0, -1);
    return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function inAddress(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}

export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
