import type { AgentError } from './adapter.ts';
import { limitError, limitIn } from './limit.ts';
import { refusalIn } from './refusal.ts';

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
