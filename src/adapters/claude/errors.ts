import type { Rule } from '../classify.ts';

/** Codes are `api_error_type`, the event's `error`, or the result's `subtype`. */
export const errors: readonly Rule[] = [
  { text: /^Prompt is too long/, class: 'prompt-too-large', newSession: true },
  { code: 'request_too_large', class: 'prompt-too-large', newSession: true },
  { code: 'refusal', class: 'refused' },
  { text: /^API Error: .*\b(violates?|Usage Policy)\b/, class: 'refused' },
  // Money, not time: waiting changes nothing.
  { code: 'billing_error', class: 'auth' },
  { text: /^(Credit balance is too low|You['’]ve hit your .*(spend limit|budget))/, class: 'auth' },
  { code: /^(authentication_error|authentication_failed|permission_error)$/, class: 'auth' },
  {
    text: /^(Not logged in|Invalid API key|Failed to authenticate|.{0,200}Please run \/login)/,
    class: 'auth',
  },
  { code: /^(rate_limit|rate_limit_error|usage_limit_reached)$/, class: 'limit' },
  { text: /^You(['’]ve (hit|reached) your|['’]re out of (extra )?usage)/, class: 'limit' },
  { code: /^(overloaded_error|api_error|server_error|timeout_error)$/, class: 'transient' },
  {
    text: /^(API Error: )?(Connection (error|dropped|closed|refused|reset)|Unable to connect to API|Request timed out|The socket connection)/,
    class: 'transient',
  },
  { text: /^No conversation found with session ID/m, class: 'tooling', newSession: true },
  // A process that began with this id died before docket knew; or another one has it open.
  { text: /^(Error: )?Session ID [0-9a-f-]+ is already in use/m, class: 'tooling', newSession: true },
  { text: /^error: (unknown option|option )/m, class: 'tooling' },
  { text: /^--dangerously-skip-permissions cannot be used/m, class: 'tooling' },
  { code: /^error_max_(turns|budget_usd)$/, class: 'tooling' },
  { status: 400, class: 'tooling' },
  { status: 404, class: 'tooling' },
];
