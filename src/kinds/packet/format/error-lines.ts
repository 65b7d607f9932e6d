import type { TriageClass } from './facts.ts';

type Row = readonly [TriageClass, RegExp];

// What may stand in front of an error in its line: colours, a time, a level or the name of a program.
// oxlint-disable-next-line no-control-regex -- that is what a terminal's colours are made of
const colour = /\u001B\[[\d;]{0,20}m/g;
const time = /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?:? ?/;
const level =
  /^(?:[\w./@-]{1,40}: ){0,2}(?:\[?(?:error|fatal)|(?:uncaught|fatal|api|stream|unexpected|http) error|failed|failure|[a-z]\w{0,30}(?:error|exception)|npm err!|caused by)(?: \[[\w.-]{1,40}\])?(?:\]:?|:| ) ?/i;

/** An HTTP status, alone or with its name: a bare number could count anything. */
const status = (codes: string, names: string): RegExp =>
  new RegExp(
    `^(?:(?:http(?:/[\\d.]{1,3})?|status|code|unexpected status)[ :]*(?:code )?)?(?:${codes})(?:\\W{1,3}(?:${names})\\b|(?=$|[:;,.)]))`,
    'i',
  );

/**
 * Our own patterns. Each is tried at the start of what a line says, never in the middle: the words of an agent that
 * talks about a forbidden folder or a connection pool are no error.
 */
const rows: readonly Row[] = [
  ['auth', status('40[13]', 'unauthori[sz]ed|forbidden')],
  [
    'auth',
    /^(?:unauthori[sz]ed|forbidden|authentication (?:failed|required|error)|access denied)(?=$|[:;,.(])/i,
  ],
  [
    'auth',
    /^(?:invalid|expired|missing|incorrect|no) (?:api[ _-]?key|access token|auth token|token|credentials?)\b/i,
  ],
  ['auth', /^(?:you are )?not (?:logged|signed) in\b|^please (?:log|sign) in\b|^login required\b/i],
  ['limit', status('429', 'too many requests')],
  ['limit', /^too many requests\b|^quota exceeded\b|^(?:rate|usage) limit (?:reached|exceeded|hit)\b/i],
  ['limit', /^you(?:'ve| have) (?:hit|reached) your (?:\w{1,20} )?limit\b/i],
  ['prompt_too_large', status('413', 'payload too large|request entity too large|content too large')],
  [
    'prompt_too_large',
    /^(?:the |your |this )?(?:prompt|input|request|context|conversation) (?:is |was )?too (?:large|long)\b/i,
  ],
  [
    'prompt_too_large',
    /^(?:the |your )?(?:maximum |input )?(?:context (?:length|window)|prompt|token limit|token count) (?:is |was |has been )?exceed(?:s|ed)?\b/i,
  ],
  ['prompt_too_large', /^too many (?:input )?tokens\b|^context_length_exceeded\b/i],
  [
    'timeout',
    /^(?:timed out|timeout|deadline exceeded)(?=$|[:;,.(])|^(?:request|operation|call) timed out\b/i,
  ],
  [
    'transient',
    /^(?:(?:connect|read|write|getaddrinfo|socket) )?(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)\b/,
  ],
  [
    'transient',
    /^(?:the )?(?:connection|network|socket|stream) (?:was |is )?(?:reset|refused|closed|lost|error|timed out|hang up|disconnected|unreachable)(?=$|[:;,.(]| by peer| before )/i,
  ],
  ['transient', /^(?:fetch failed|socket hang up|overloaded(?:_error)?)(?=$|[:;,.(])/i],
  [
    'transient',
    status('50[0234]', 'internal server error|bad gateway|service unavailable|gateway time-?out'),
  ],
  ['transient', /^(?:internal server error|bad gateway|service unavailable|gateway time-?out)(?=$|[:;,.(])/i],
  ['tooling', /^(?:[\w./-]{1,60}: )?(?:(?:line )?\d{1,6}: )?[\w./-]{1,60}: (?:command )?not found$/],
  [
    'tooling',
    /^(?:[\w./-]{1,60}: )?['"‘]?[\w./-]{1,60}['"’]?: (?:no such file or directory|permission denied)$/i,
  ],
  ['tooling', /^spawn \S{1,200} (?:ENOENT|EACCES)$|^cannot find module\b|^exec format error\b/i],
  ['tooling', /^(?:unknown|unexpected|unrecogni[sz]ed|invalid) (?:option|argument|flag|subcommand|model)\b/i],
];
/** Where nothing says that a line is an error, it must say nothing else beside it. */
const nothingElse = /^(?:$|[:;,.([]| by peer\b)/;

/** The class of the last line that is an error: what comes before it, the program has lived through. */
export function classOfTail(lines: readonly string[]): TriageClass | undefined {
  for (const line of lines.slice(-40).toReversed()) {
    const found = classOfLine(line);
    if (found !== undefined) return found;
  }
  return undefined;
}

function classOfLine(line: string): TriageClass | undefined {
  const text = line.slice(0, 500).replaceAll(colour, '').trim().replace(time, '');
  const said = text.replace(level, '').replace(level, '');
  const isError = said !== text;
  for (const [name, pattern] of rows) {
    const found = pattern.exec(said) ?? pattern.exec(text);
    if (found && (isError || nothingElse.test(text.slice(found[0].length)))) return name;
  }
  return undefined;
}
