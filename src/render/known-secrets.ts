const speaksOfSecrets = /token|secret|passw|passphrase|credential|api_?key|[_-](?:key|auth|pass|pwd)$/i;
/** It says where a secret is, or how long it lives, and is none itself. */
const aboutOne = /[_-](?:file|path|dir|sock|url|uri|host|name|user|id|ttl|type|prefix)$/i;
/** Shorter ones occur in any text by chance. */
const shortest = 8;

/** The secrets that the environment holds, by the names of its variables. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined &&
    value.trim().length >= shortest &&
    speaksOfSecrets.test(name) &&
    !aboutOne.test(name)
      ? [value.trim()]
      : [],
  );
  return [...new Set(values)];
}

/** Finds these very values, also as they are written in JSON and in an address, and line by line. For `redact`. */
export function literally(secrets: readonly string[]): RegExp[] {
  const spellings = secrets
    .flatMap((secret) => [secret, ...linesOf(secret).filter((line) => line.length >= shortest)])
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1), inAddress(text)]);
  // The longest first: of two that begin alike the whole of the longer one goes.
  const all = [...new Set(spellings)].filter((text) => text !== '').toSorted((a, b) => b.length - a.length);
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

function inAddress(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
