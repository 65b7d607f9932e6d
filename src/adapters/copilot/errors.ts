import type { Rule } from '../classify.ts';

/** `session.error` has a type of its own and the HTTP status; what fails before the stream begins is on stderr. */
export const errors: readonly Rule[] = [
  { code: 'authentication', class: 'auth' },
  { code: /^(rate_limit|quota)/, class: 'limit' },
  { code: /^context_(limit|window)|too_large/, class: 'prompt-too-large', newSession: true },
  {
    status: 400,
    text: /(context|prompt|input).*(too (long|large)|exceed|maximum)/i,
    class: 'prompt-too-large',
    newSession: true,
  },
  { status: 404, text: /model/i, class: 'tooling' },
  {
    code: 'query',
    text: /Last error: (Failed native model HTTP request|fetch failed|.*(ECONNRESET|ETIMEDOUT|unexpected EOF|overloaded))/i,
    class: 'transient',
  },
  { exit: 1, text: /^Error: No authentication information found/m, class: 'auth' },
  { exit: 1, text: /^(Error: )?No session[^\n]*(matched|found)/im, class: 'tooling', newSession: true },
  { text: /^error: (unexpected argument|invalid value|the argument)/m, class: 'tooling' },
];
