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
