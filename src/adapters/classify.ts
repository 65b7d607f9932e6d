import type { AgentError, ErrorClass } from './adapter.ts';
import { limitError, limitOf, resetFrom } from './limit.ts';
import { noticeIn } from './notice.ts';

/** What is known about a failure, from the surest to the vaguest. */
export interface Symptoms {
  message: string;
  /** HTTP status, where the vendor's event has it. */
  status?: number;
  /** The vendor's own word for the error. */
  code?: string;
  exit?: number;
  stderr?: string;
  /** A time that the vendor's event gives for the end of a limit: epoch seconds or milliseconds, or an ISO time. */
  resetsAt?: number | string;
  /** As in the HTTP header: seconds, or a date. */
  retryAfter?: number | string;
}

/** One row of an adapter's table. All given conditions must hold; the first row that fits decides. */
export interface Rule {
  status?: number | readonly [from: number, to: number];
  code?: string | RegExp;
  exit?: number;
  /** Tried on the message first, then on stderr. Anchor it: an answer may quote an error. */
  text?: RegExp;
  class: ErrorClass;
  newSession?: true;
  /** What a person is told instead of words that only say what, and not why. */
  says?: string;
}

/** What all vendors share. A status is surer than a text, so these come behind the vendor's own rows. */
const common: readonly Rule[] = [
  // Vendors answer 429 for an empty purse too; waiting does not fill it.
  { code: /insufficient_quota|billing|payment_required|credit/i, class: 'auth' },
  { status: 401, class: 'auth' },
  { status: 402, class: 'auth' },
  { status: 403, class: 'auth' },
  { status: 413, class: 'prompt-too-large', newSession: true },
  { status: 429, class: 'limit' },
  { status: [500, 599], class: 'transient' },
  { status: 408, class: 'transient' },
  { code: /^(ENOENT|EACCES|ENOEXEC)$/, class: 'tooling' },
];

export function classify(symptoms: Symptoms, table: readonly Rule[], now: number): AgentError {
  const { message, status } = symptoms;
  const rule = [...table, ...common].find((candidate) => fits(candidate, symptoms));
  const error = rule ? ruled(rule, message, now) : (noticeIn(message, now) ?? { class: 'unknown', message });
  if (status !== undefined) error.status = status;
  if (error.class === 'limit' || error.class === 'transient') {
    // A field of an event is surer than words.
    const resetAt = resetFrom(symptoms, now);
    if (resetAt !== undefined) error.resetAt = resetAt;
  }
  return error;
}

function ruled(rule: Rule, said: string, now: number): AgentError {
  const message = rule.says ?? said;
  const error: AgentError =
    rule.class === 'limit' ? limitError(message, limitOf(message, now)) : { class: rule.class, message };
  return rule.newSession ? { ...error, newSession: true } : error;
}

function fits(rule: Rule, symptoms: Symptoms): boolean {
  const { status, code, exit, text } = rule;
  if (status !== undefined) {
    const [from, to] = typeof status === 'number' ? [status, status] : status;
    if (symptoms.status === undefined || symptoms.status < from || symptoms.status > to) return false;
  }
  if (code !== undefined) {
    if (symptoms.code === undefined) return false;
    if (typeof code === 'string' ? symptoms.code !== code : !code.test(symptoms.code)) return false;
  }
  if (exit !== undefined && symptoms.exit !== exit) return false;
  if (text !== undefined && !text.test(symptoms.message) && !text.test(symptoms.stderr ?? '')) return false;
  return true;
}
