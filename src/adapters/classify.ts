import type { AgentError, ErrorClass } from './adapter.ts';
import { isLimitNotice } from './limit-notice.ts';
import { fromEpoch, resetIn, sane } from './reset-time.ts';

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

interface Limit {
  resetAt?: string;
  /** What had to be assumed to read the time. */
  note?: string;
}

/** A limit notice among the answers: short, and nothing but the notice. Undefined: it is none. */
export function limitIn(text: string, now: number): Limit | undefined {
  return isLimitNotice(text, now) ? limitOf(text, now) : undefined;
}

/** What a message says about the end of a limit, where it is known to be about one. */
export function limitOf(message: string, now: number): Limit {
  const reset = resetIn(message, now);
  if (!reset) return {};
  const resetAt = new Date(reset.at).toISOString();
  return reset.note === undefined ? { resetAt } : { resetAt, note: reset.note };
}

/** What had to be assumed about the time is said where people read about the limit. */
export function limitError(message: string, { resetAt, note }: Limit): AgentError {
  return {
    class: 'limit',
    message: note === undefined ? message : `${message} (${note})`,
    ...(resetAt !== undefined && { resetAt }),
  };
}

/** When a limit ends, by the fields of an event. What is past, or further than any limit lasts, says nothing. */
export function resetFrom(
  { resetsAt, retryAfter }: Pick<Symptoms, 'resetsAt' | 'retryAfter'>,
  now: number,
): string | undefined {
  const times = [moment(resetsAt), afterNow(retryAfter, now)];
  const at = times.map((time) => sane(time, now)).find((time) => time !== undefined);
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** Epoch seconds or milliseconds, as a number or in digits; or a date in words. */
function moment(value: number | string | undefined): number {
  if (value === undefined) return Number.NaN;
  const count = typeof value === 'number' ? value : numberIn(value);
  return count === undefined ? Date.parse(value as string) : fromEpoch(count);
}

/** `Retry-After` is a number of seconds or an HTTP date. */
function afterNow(value: number | string | undefined, now: number): number {
  if (value === undefined) return Number.NaN;
  const seconds = typeof value === 'number' ? value : numberIn(value);
  return seconds === undefined ? Date.parse(value as string) : now + seconds * 1000;
}

function numberIn(text: string): number | undefined {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** A name in front ("API Error: "), and behind it nothing but what to do: any other sentence makes it an answer. */
const notice = (words: string): RegExp =>
  new RegExp(
    String.raw`^(?:[\w ]{0,30}: ?)?(?:${words})(?:[.!]?|[.!:,]? *[·(—–-]? *(?:\d|/|(?:please|fix|run|set|add|check|use|try|start|log ?in|sign in|visit|go to|contact|increase|max(?:imum)?)\b)[^\n]{0,200})$`,
    'i',
  );

/** Money, not time: nobody should try again before a person has paid. */
const spent = notice(
  String.raw`(?:your )?credit balance is too low|(?:you(?:['’]ve| have) (?:hit|reached|exceeded) your |your |the )?(?:monthly |organization |workspace |usage ){0,2}(?:spend(?:ing)?|budget|billing)(?: hard)? (?:limit|cap)(?: (?:has been |was )?(?:reached|exceeded))|you(?:['’]ve| have) (?:hit|reached|exceeded) your (?:monthly )?(?:spend(?:ing)?|budget) (?:limit|cap)|(?:402 )?(?:payment required|insufficient (?:funds|credits|quota))`,
);

/** The vendor's client speaks, not its model. */
const login = notice(
  String.raw`invalid (?:API key|authentication credentials)|not logged in|please run /login|OAuth token (?:has )?expired|authentication (?:required|failed)|you (?:are not|need to be) (?:logged|signed) in`,
);

const tooLong = notice(
  String.raw`(?:the |your )?(?:prompt|input|conversation|context)(?: window)? (?:is|was) too (?:long|large)|context (?:length|window)(?: limit)? (?:was )?exceeded`,
);

/**
 * What stands where an answer should be, and is none: a limit, an empty purse, a missing login, an overflow, a refusal.
 * A process that printed it may well have ended with 0.
 */
export function noticeIn(answer: string, now: number): AgentError | undefined {
  const text = answer.trim();
  if (text.length <= 400) {
    if (spent.test(text)) return { class: 'auth', message: text };
    if (login.test(text)) return { class: 'auth', message: text };
    if (tooLong.test(text)) return { class: 'prompt-too-large', message: text, newSession: true };
  }
  const limit = limitIn(text, now);
  if (limit) return limitError(text, limit);
  return refusalIn(text) ? { class: 'refused', message: text } : undefined;
}

/** Whole answers with which models decline. Only at the very start: an answer may quote one. */
const sorry = String.raw`(?:(?:I['’]m|I am|we['’]re) (?:very |really )?sorry,? ?(?:but )?|sorry,? ?(?:but )?|unfortunately,? |apologies,? ?(?:but )?)?`;
const cannot = String.raw`(?:I (?:can ?not|can['’]t|won['’]t|will not|must decline to|am unable to|am not able to|decline to)|I['’]m (?:unable|not able|not going|declining) to|I won['’]t be able to)`;
const refusals = [
  new RegExp(
    `^${sorry}${cannot} (?:help|assist)(?: you)?(?: (?:with|in|on) (?:that|this|your|the|creating|writing|making|such)\\b| to\\b|[.,!]|$)`,
    'i',
  ),
  new RegExp(
    `^${sorry}${cannot} (?:comply|fulfil|fulfill|complete|process|respond to|answer) ?(?:with )?(?:that|this|your|the)? ?(?:request\\b|[.,!]|$)`,
    'i',
  ),
  new RegExp(
    `^${sorry}${cannot} (?:do|provide|create|write) (?:that|this)[.,!]?(?:$| because it (?:violates|would violate))`,
    'i',
  ),
  new RegExp(`^${sorry}(?:I (?:must|have to) (?:decline|refuse)|I decline)\\b`, 'i'),
  /^(?:API Error: )?[\w ]{1,30} is unable to respond to this request, which appears to violate/i,
  /^(?:this|your|the) (?:request|prompt|content) (?:was|has been|is) (?:blocked|flagged|rejected|declined) (?:by|due to|because|as|under)\b/i,
];

/** One of these is in every one of them: most answers need no closer look. */
const hint = /can|won|will|must|able|going|declin|refuse|blocked|flagged|rejected/i;

const longestRefusal = 600;

/** A short answer that begins as a refusal. A long one did some work, whatever its first words; so did a report. */
export function refusalIn(text: string): boolean {
  const answer = text.trim();
  if (answer.length > longestRefusal || answer.includes('{')) return false;
  return hint.test(answer) && refusals.some((refusal) => refusal.test(answer));
}
