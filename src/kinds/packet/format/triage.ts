import { command, fix } from '../../../errors/command.ts';
import type { StageFacts, TriageClass } from './facts.ts';

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
function classOfTail(lines: readonly string[]): TriageClass | undefined {
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

/** What people hear of a failure and what the dispatcher does next; how often, the packet's budgets say. */
interface Advice {
  policy: Policy;
  /** Two things that people can do. */
  actions: readonly [string, string];
  /** What resuming alone would not fix. */
  first?: string;
}

type Policy = 'stop' | 'retry' | 'digest-retry' | 'wait';

const advice: Readonly<Record<TriageClass, Advice>> = {
  scope_violation: {
    policy: 'stop',
    actions: [
      'Read the gate reasons: what was changed out of scope was undone and is kept as a patch in the packet.',
      'If those changes are wanted, add their paths to scope.allow in manifest.yaml; if not, say so in inputs/user_request.md.',
    ],
    first: 'widen scope.allow in manifest.yaml, or narrow the request',
  },
  contract_violation: {
    policy: 'stop',
    actions: [
      'Read the gate reasons and the output of the stage: a part is missing, or an acceptance command failed.',
      'Make the request or the context pack clearer, or mend what the command shows; then resume.',
    ],
    first: 'look at the gate reasons above',
  },
  tooling: {
    policy: 'stop',
    actions: [
      fix`Check that the program is installed and starts: "${command`agents`}" shows what is found.`.text,
      fix`Check the model and the options in configs/ and manifest.yaml: "${command`packet config`}" shows what is used.`
        .text,
    ],
    first: 'mend what the reason above says',
  },
  transient: {
    policy: 'retry',
    actions: [
      'Resume the packet: a later try may simply work.',
      'If it comes again, read the end of the .err file of the stage, and check the network.',
    ],
  },
  prompt_too_large: {
    policy: 'digest-retry',
    actions: [
      'Set context.digest_policy to aggressive in manifest.yaml.',
      'Shorten inputs/user_request.md, or take files out of inputs/attachments/.',
    ],
    first: 'shorten the inputs',
  },
  auth: {
    policy: 'stop',
    actions: [
      'Log in with the program again, or renew its API key, in the environment that docket runs in.',
      'Then resume: stages that are done do not run again.',
    ],
    first: 'log in to {tool} again',
  },
  limit: {
    policy: 'wait',
    actions: [
      'Wait until the limit is over, then resume.',
      'Or choose another model for this tool with routing.model in manifest.yaml.',
    ],
    first: 'wait for the limit to end',
  },
  timeout: {
    policy: 'retry',
    actions: [
      'Raise budgets.max_wallclock_sec in manifest.yaml if the work is that long.',
      'Make the request smaller, or split it into several packets.',
    ],
    first: 'raise budgets.max_wallclock_sec, or make the request smaller',
  },
  budget: {
    policy: 'stop',
    actions: [
      'Read in outputs/_summary.md what the calls were spent on.',
      'Raise the budget in manifest.yaml if more is wanted, then resume.',
    ],
    first: 'raise the budget in manifest.yaml',
  },
  unknown: {
    policy: 'stop',
    actions: [
      'Read the .err file and the output of the stage.',
      'Resume when you know what was wrong; if the agent refused, word the request differently.',
    ],
    first: 'read the .err file',
  },
};

export function policyOf(found: TriageClass): Policy {
  return advice[found].policy;
}

export function actionsFor(found: TriageClass, error?: { resetAt?: string }): string[] {
  const isDated = found === 'limit' && error?.resetAt !== undefined;
  return [...(isDated ? [`The limit ends at ${error.resetAt}.`] : []), ...advice[found].actions];
}

/** What a person has to do before they resume, if anything. */
export function firstFor(found: TriageClass, tool: string): string | undefined {
  return advice[found].first?.replace('{tool}', tool);
}

/** What is known about a stage that failed, from the surest to the vaguest. */
export interface Symptoms {
  gate: StageFacts['gate']['result'];
  /** What the adapter made of it. */
  error?: { class: string; message: string; resetAt?: string };
  exitCode: number;
  /** Exit codes of the original's wrappers mean other things for other tools. */
  tool?: string;
  stderrTail: readonly string[];
}

/** Adapter classes that leave no doubt. `crashed` and `unknown` only say that nobody knew better. */
const sure: Readonly<Record<string, TriageClass>> = {
  limit: 'limit',
  auth: 'auth',
  'prompt-too-large': 'prompt_too_large',
  timeout: 'timeout',
  stall: 'timeout',
  tooling: 'tooling',
  transient: 'transient',
  refused: 'unknown',
};

/** What shells and `timeout` say, and the wrappers of the original. */
const exits: Readonly<Record<number, TriageClass>> = { 124: 'timeout', 126: 'tooling', 127: 'tooling' };
const wrapperExits: Readonly<Record<string, Readonly<Record<number, TriageClass>>>> = {
  codex: { 2: 'tooling', 13: 'tooling' },
  gemini: { 10: 'tooling', 11: 'tooling', 13: 'timeout', 14: 'prompt_too_large', 42: 'prompt_too_large' },
  copilot: { 30: 'tooling', 31: 'tooling', 33: 'timeout' },
};

/** What kind of failure it was, and what people can do about it. */
export function classify(symptoms: Symptoms): { class: TriageClass; actions: string[] } {
  const found = classOf(symptoms);
  return { class: found, actions: actionsFor(found, symptoms.error) };
}

function classOf({ gate, error, exitCode, tool = '', stderrTail }: Symptoms): TriageClass {
  if (gate !== 'pass') return gate;
  const told = error && Object.hasOwn(sure, error.class) ? sure[error.class] : undefined;
  if (told !== undefined) return told;
  const said = classOfTail([...stderrTail, ...(error ? error.message.split('\n') : [])]);
  // Copilot's wrapper has one code for bad input and for too much of it.
  if (said === 'prompt_too_large') return said;
  const byExit = exits[exitCode] ?? (Object.hasOwn(wrapperExits, tool) && wrapperExits[tool]?.[exitCode]);
  if (byExit) return byExit;
  return said ?? (exitCode === 0 ? 'unknown' : 'transient');
}
