import type { Rule } from '../classify.ts';

/** Its exit code is the HTTP status modulo 256 (429 → 173), or one of its own numbers for what failed earlier. */
export const errors: readonly Rule[] = [
  {
    status: 400,
    text: /(token count|context length|input).*(exceeds|too long|too large)/i,
    class: 'prompt-too-large',
    newSession: true,
  },
  { status: 400, text: /API[ _]key (not valid|expired|not found)|API_KEY_INVALID/i, class: 'auth' },
  { status: 404, text: /model.*not found|is not found for API version/i, class: 'tooling' },
  { code: 'FatalAuthenticationError', class: 'auth' },
  { code: 'FatalUntrustedWorkspaceError', class: 'tooling' },
  { exit: 41, class: 'auth' },
  {
    exit: 42,
    text: /^(Error resuming session|.*No previous sessions found|.*Invalid session identifier)/im,
    class: 'tooling',
    newSession: true,
  },
  { exit: 42, class: 'tooling' },
  { exit: 44, class: 'tooling' },
  { exit: 52, class: 'tooling' },
  { exit: 55, class: 'tooling' },
  {
    text: /^\[API Error: (terminated|fetch failed|.*(ECONNRESET|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|socket hang up))/i,
    class: 'transient',
  },
  {
    text: /^(\[API Error: .*)?(Model stream ended|empty response|malformed function call)/i,
    class: 'transient',
  },
  { text: /^(Unknown arguments?:|Invalid values:|Cannot use both)/m, exit: 1, class: 'tooling' },
];

const low: Readonly<Record<number, number>> = {
  144: 400,
  145: 401,
  146: 402,
  147: 403,
  148: 404,
  152: 408,
  157: 413,
  173: 429,
  244: 500,
  246: 502,
  247: 503,
  248: 504,
};

/** The HTTP status: in the message where it quotes the server, else what the exit code has left of it. */
export function statusOf(message: string, exit: number | undefined): number | undefined {
  const quoted = /^\[API Error: \{.*?"code":\s*(\d{3})\b/s.exec(message)?.[1];
  if (quoted !== undefined) return Number(quoted);
  return exit === undefined ? undefined : low[exit];
}
