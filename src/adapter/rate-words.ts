/** What programs and libraries put before the words proper. A test that fails says what it expected: that is none. */
const prefix =
  /^(?:(?!assert)(?:[\w.]*(?:Error|Exception)|error|fatal|API error|HTTP error)(?: \[[\w.]+\])?[:!]? *)+/i;
const status =
  /^(?:(?:HTTP(?:\/[\d.]+)?|(?:error |status )?code|status|request failed with status(?: code)?|server (?:returned|responded)(?: with)?|got|received)[ :]+)*\(?429\)?(?=$|[ :,.-])(?! passed| failed| tests?\b)/i;
const words =
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
  const [named = ''] = prefix.exec(line) ?? [];
  const said = line.slice(named.length);
  return /rate_?limit_?error|TooManyRequests/i.test(named) || status.test(said) || words.test(said)
    ? line
    : undefined;
}
