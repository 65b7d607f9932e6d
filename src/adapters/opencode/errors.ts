import type { Rule } from '../classify.ts';

/** An `error` event has a name, the HTTP status and whether trying again makes sense. */
export const errors: readonly Rule[] = [
  { code: 'ProviderAuthError', class: 'auth' },
  { code: 'ContextOverflowError', class: 'prompt-too-large', newSession: true },
  {
    status: 400,
    text: /(context|prompt|input).*(too (long|large)|exceed|maximum)/i,
    class: 'prompt-too-large',
    newSession: true,
  },
  { code: 'content-filter', class: 'refused' },
  {
    code: /^(ProviderModelNotFoundError|ModelNotFoundError|ConfigInvalidError|ConfigJsonError)$/,
    class: 'tooling',
  },
  {
    code: 'APIError',
    text: /^(Connection reset|Unable to connect|.*socket connection was closed)/i,
    class: 'transient',
  },
  { code: 'retryable', class: 'transient' },
  // An error inside the stream comes as the server wrote it: JSON in the message, and no status.
  {
    code: 'UnknownError',
    text: /^\{.*("type":"(overloaded|server|api)_error"|"code":"?5\d\d\b|overloaded)/s,
    class: 'transient',
  },
  { text: /^(Error: )?.*(Session not found|NotFoundError)/im, class: 'tooling', newSession: true },
  { text: /^(Error: )?.*(Model not found|ProviderModelNotFoundError)/im, class: 'tooling' },
  // Two that start at once in a new home: one of them makes the database.
  { text: /database is locked|SQLITE_BUSY/, class: 'transient' },
];
