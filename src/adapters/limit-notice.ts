import { resetIn } from './reset-time.ts';

/**
 * CLIs print "You've hit your limit · resets 7pm" where the answer should be, and exit with 0. Such a notice is told
 * from an answer about limits by its form: it is short, its first phrase is one of a few, whole, and every further
 * phrase is about the same thing. One sentence of anything else makes it an answer.
 */
const longest = 400;

/** What may stand before the notice proper. */
const prefix =
  /^(?:[^\p{L}\p{N}{"'/(]+|(?:API )?(?:Error|Warning|Failed|Stream error|Exception|Sorry)\b[:,!]? *(?:\(?\d{3}\)?[:,]? *)?)+/iu;

const kind = String.raw`(?:(?:5|five|24|1)[ -]?hour(?:ly)?|daily|weekly|monthly|session|usage|rate|request|token|plan|model|opus|sonnet|fast|extra usage|message|quota|api|premium request|free tier|spending|(?:claude|codex|gemini|copilot|chatgpt|openai|anthropic)(?: (?:ai|code|pro|max|plus))?)`;
const limit = String.raw`(?:${kind}[ -]){0,4}(?:limits?|quota|usage|cap|allowance|requests)`;
/** Whose limit: a model, an organisation, a kind of count. Not a whole clause: "on line 40" is an answer. */
const scope = String.raw`(?: for (?:the |this |your )?(?:[\w.:/-]+|[\w.:/-]+ (?:models?|organization|account|key|plan|tier)))?(?: in organization [\w-]+)?(?: on (?:requests|tokens|input tokens|output tokens)(?: per (?:min|minute|hour|day))?(?: \(\w+\))?)?(?: per (?:min|minute|hour|day))?`;

const openers = [
  String.raw`you(?:['’]ve| have) (?:hit|reached|exceeded|used up|exhausted|run out of) (?:your|the|a|an|all(?: of)? your) (?:current |own |included |${kind} ){0,4}${limit}(?: for (?:today|now|[\w.-]+ models?|(?:the|this) (?:day|week|month|hour|model|session|period))| that restricts [^.]{1,150}| due to [^.]{1,80})?`,
  String.raw`you(?:['’]re| are) out of (?:extra |${kind} ){0,3}(?:usage|credits|requests|tokens|quota|messages)`,
  String.raw`you(?:['’]ve| have) been rate[ -]limited(?: due to [^.]{1,80})?`,
  String.raw`you (?:have )?(?:exceeded|exhausted) your (?:current |daily |weekly )?(?:${limit}|capacity)(?: on this model)?(?:, please check your plan and billing details)?`,
  String.raw`(?:your |the |this )?${limit}(?: has been| was| is)? (?:reached|exceeded|exhausted|hit)${scope}`,
  String.raw`rate[ -]limited(?: by [\w .-]{1,40})?`,
  String.raw`(?:request )?(?:was )?rejected(?: because)? (?:the )?${limit}(?: (?:was )?(?:reached|exceeded))?`,
  String.raw`too many requests`,
  String.raw`429[: -]+(?:too many requests|rate limit(?:ed| exceeded| reached)?|resource[ _]exhausted)`,
  String.raw`resource (?:has been )?exhausted(?: \(e\.g\. check quota\))?`,
  String.raw`exceeded retry limit, last status: 429(?: too many requests)?(?:, request id: [\w-]+)?`,
];
const opener = new RegExp(`^(?:${openers.join('|')})$`, 'iu');

/** One of these is in every opener. The whole pattern takes V8 tens of milliseconds to get ready, and most answers need none. */
const hint = /limit|quota|usage|cap|allowance|request|credit|token|message|429|exhaust/iu;

/** What follows in a notice: the reset, what to do about it, what it costs, where to read on. */
const tails = new RegExp(
  String.raw`^(?:and |or |please,? |you can |to |it |your |the |this |then ){0,3}(?:${[
    String.raw`(?:${limit} )?(?:will |should )?(?:resets?|reset|renews?|refills?)\b.*`,
    String.raw`(?:try|retry|wait|come back|check back)\b.*`,
    String.raw`(?:upgrade|increase|purchase|buy|add|get|continue|switch|enable|turn on|request|contact|visit|see|learn more|read|check|for more|more)\b.*`,
    String.raw`/[\w-]+.*`,
    String.raw`https?:\S*`,
    String.raw`(?:limit|used|requested|current|remaining|request id|quota)\b[: ]*.*`,
    String.raw`\d{10}(?:\d{3})?`,
    String.raw`${openers.join('|')}`,
  ].join('|')})$`,
  'iu',
);

/** The same as data that nobody unpacked: `API Error: 429 {"type":"error",…}`. */
const asData =
  /^(?:[\w ]{0,20}: ?)?(?:429 ?)?\{.{0,300}"(?:rate_limit_error|rate_limit_exceeded|usage_limit_reached|RESOURCE_EXHAUSTED)"/s;

/** Nothing but the status. The number alone may be an answer. */
const asStatus = /^(?:api )?(?:error|http|status(?: code)?)[: ]*\(?429\)?[.!]?$/i;

/** An answer about limits speaks of code, or in the first person. */
const answers =
  /[`;={}<>\][]|\b\w+\(\)|\b(?:I|we|I['’]ve|added|fixed|implemented|tests?|handler|function|code|commit)\b|\.(?:ts|js|py|go|rs|java|md|json|ya?ml)\b/;

export function isLimitNotice(text: string, now: number): boolean {
  const whole = text.trim();
  if (whole.length > longest || whole === '') return false;
  if (asData.test(whole) || asStatus.test(whole)) return true;
  if (!hint.test(whole)) return false;
  const notice = whole.replace(prefix, '');
  if (answers.test(notice.replaceAll(/https?:\S+/g, ''))) return false;
  const [first = '', ...rest] = phrasesOf(notice);
  if (!opener.test(first)) return opensWithReset(first, rest, now);
  return rest.every((phrase) => tails.test(phrase));
}

/** "You've hit your limit resets 7pm": nothing between the two but a blank, and a time that can be read. */
function opensWithReset(first: string, rest: readonly string[], now: number): boolean {
  const at = /[ ,] *(?:and )?(?:(?:it |which )?(?:will )?resets?|(?:please )?(?:try again|retry))\b/i.exec(
    first,
  )?.index;
  if (at === undefined || !opener.test(first.slice(0, at))) return false;
  return resetIn(first.slice(at), now) !== undefined && rest.every((phrase) => tails.test(phrase));
}

/** At the ends of sentences and at the marks that CLIs put between the parts; not inside a number or an address. */
function phrasesOf(notice: string): string[] {
  return notice
    .split(/[.!?]+(?=\s|$)|\s*[·∙•|\n—–]\s*|\s+-\s+|: (?=limit|used|please)/iu)
    .map((phrase) => phrase.replace(/^[\s,;:]+|[\s,;:]+$/g, ''))
    .filter((phrase) => phrase !== '');
}

/** What programs and libraries put before the words proper. A test that fails says what it expected: that is none. */
const programPrefix =
  /^(?:(?!assert)(?:[\w.]*(?:Error|Exception)|error|fatal|API error|HTTP error)(?: \[[\w.]+\])?[:!]? *)+/i;
const status429 =
  /^(?:(?:HTTP(?:\/[\d.]+)?|(?:error |status )?code|status|request failed with status(?: code)?|server (?:returned|responded)(?: with)?|got|received)[ :]+)*\(?429\)?(?=$|[ :,.-])(?! passed| failed| tests?\b)/i;
const rateWords =
  /^(?:too many requests\b|(?:API )?rate[ _-]?limit(?:ed\b(?!ly)|(?: (?:has been|was|is))? (?:exceeded|reached|hit)\b|(?:_| )error\b))/i;

/**
 * The last words of a program that failed, where they are nothing but those of a rate limit. Undefined: they are not.
 * Only the line that says why counts: one that tried again, and failed for another reason, was not held by a limit.
 */
export function rateLimitIn(stderr: string): string | undefined {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const told =
    lines.findLast((line) => /^(?:[\w.]*(?:Error|Exception)|error|fatal)\b/i.test(line)) ?? lines.at(-1);
  const line = told?.trim().slice(0, 500) ?? '';
  const [named = ''] = programPrefix.exec(line) ?? [];
  const said = line.slice(named.length);
  return /rate_?limit_?error|TooManyRequests/i.test(named) || status429.test(said) || rateWords.test(said)
    ? line
    : undefined;
}
