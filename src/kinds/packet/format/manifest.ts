import * as v from 'valibot';
import { DocketError } from '../../../errors.ts';
import { patternFrom, type Pattern } from '../../../render/pattern.ts';
import { quoted, type Wrong } from '../../../schema/problem.ts';
import { readYaml } from '../../../schema/read.ts';
import {
  amount,
  anything,
  hints,
  keys,
  maybe,
  needed,
  otherwise,
  outsideBecause,
  text,
  unless,
  whole,
} from '../../../schema/schemas.ts';
import { isObject } from '../../../task/json.ts';
import { idProblem, packetIdPattern } from './name.ts';
import { isProfileName, optionsOf, profileAdvice, timeoutModes } from './words.ts';

const digestPolicies = ['off', 'auto', 'aggressive'] as const;
export type DigestPolicy = (typeof digestPolicies)[number];
const retentions = ['keep', 'archive', 'delete'] as const;
export type Retention = (typeof retentions)[number];

const sentence = unless(text, blankness, 'Write a sentence.');
const path = unless(text, outsideBecause, 'Name a path inside the project, from its root.');
const command = unless(text, blankness, 'Write a shell command.');
const pattern = unless(
  text,
  patternProblem,
  'Write a regular expression of JavaScript; "(?i)" may stand at its start.',
);
const profile = unless(
  text,
  (name) => (isProfileName(name) ? undefined : 'is no name of a profile'),
  profileAdvice,
);

/** YAML reads an id of digits without quotes as a number. */
const id = v.pipe(
  v.union([
    v.pipe(
      v.string(),
      v.regex(packetIdPattern, ({ input }) => idProblem(input) ?? ''),
    ),
    whole(0),
  ]),
  v.transform(String),
  v.check(
    (name) => idProblem(name) === undefined,
    ({ input }) => idProblem(input) ?? '',
  ),
  hints({ fix: 'Use up to 128 letters, digits, ".", "_" and "-"; begin with a letter or digit.' }),
);

/** YAML 1.1 reads `off` as false, and writes it so. */
const digestPolicy = v.pipe(
  v.union([v.literal(false), v.picklist(digestPolicies)]),
  v.transform((policy) => (policy === false ? 'off' : policy)),
);

const model = maybe(text);

/** `manifest.yaml`. */
export const manifestSchema = keys({
  task_id: needed(id, 'task_id: 20260218-001', "The packet's name; its folder has the same."),
  goal: needed(sentence, 'goal: What is to be done, in one sentence', 'What is to be done, in one sentence.'),
  routing: needed(
    keys({
      intent: needed(
        profile,
        'intent: safe_impl',
        'A profile: safe_impl, one_shot_impl, design_only, review_only, review_cross, post_impl_review, or your own.',
      ),
      model: otherwise(
        keys({ codex: model, gemini: model, copilot: model }),
        {},
        "Models for all stages of a tool; each must be one of the tool's allowed_models.",
      ),
      pipeline: otherwise(
        keys({
          profile: maybe(profile, 'Another profile of the same group.'),
          flags: otherwise(
            keys({
              enable_brief: maybe(v.boolean()),
              enable_verify: maybe(v.boolean()),
              enable_review: maybe(v.boolean()),
            }),
            {},
          ),
          options: otherwise(
            keys({
              impl_mode: maybe(v.picklist(optionsOf.impl.impl_mode)),
              review_mode: maybe(v.picklist(optionsOf.review.review_mode)),
              timeout_mode: maybe(v.picklist(timeoutModes), 'wait_done: nobody ends a call that takes long.'),
            }),
            {},
          ),
        }),
        {},
      ),
    }),
    'routing: {intent: safe_impl}',
  ),
  scope: needed(
    keys({
      allow: needed(
        v.array(path),
        'allow: [src/]',
        'Paths that may be changed, from the root. None: nothing may.',
      ),
      deny: needed(v.array(path), 'deny: [.env]', 'Paths that must stay as they are, whatever "allow" says.'),
    }),
    'scope: {allow: [src/], deny: [.env]}',
  ),
  acceptance: needed(
    keys({
      commands: needed(v.array(command), 'commands: []', 'Shell commands that must succeed.'),
      criteria: needed(v.array(sentence), 'criteria: []', 'What people look at.'),
    }),
    'acceptance: {commands: [], criteria: []}',
  ),
  budgets: needed(
    keys({
      retry_budget: needed(whole(0), 'retry_budget: 2', 'Retries of the same error.'),
      paid_call_budget: needed(whole(0), 'paid_call_budget: 10', 'Calls of agents, all stages together.'),
      max_wallclock_sec: needed(
        whole(0),
        'max_wallclock_sec: 900',
        "Seconds of one call; 0 leaves it to the tool's timeout_ms.",
      ),
      tokens: maybe(whole(0), 'Tokens, all calls together. Without it there is no cap.'),
      cost_usd: maybe(
        v.pipe(amount(), hints({ fix: 'Write US dollars, such as 2.50.' })),
        'US dollars, all calls together. Without it there is no cap.',
      ),
    }),
    'budgets: {retry_budget: 2, paid_call_budget: 10, max_wallclock_sec: 900}',
  ),
  context: needed(
    keys({
      digest_policy: needed(
        digestPolicy,
        'digest_policy: auto',
        'Whether agents get the context pack shortened. false: off, as YAML 1.1 writes it.',
      ),
    }),
    'context: {digest_policy: auto}',
  ),
  security: otherwise(
    keys({
      redaction_patterns: otherwise(v.array(pattern), [], 'Regular expressions of JavaScript.'),
      forbidden_paths: otherwise(v.array(path), [], 'Paths that no input may hold.'),
    }),
    {},
  ),
  retention: maybe(v.picklist(retentions), 'What becomes of it when old packets are cleared away.'),
  security_review_mode: maybe(anything),
  security_sensitive: maybe(anything),
});
/** In its normal form: the file's own words, and what is empty where it says nothing. */
export type Manifest = v.InferOutput<typeof manifestSchema>;

/** Everything that is wrong at once, and beside it what could be read for all that. Never throws. */
export function readManifest(
  text: string,
): { manifest: Manifest } | { wrongs: readonly Wrong[]; partial?: Manifest } {
  const read = readYaml(text, manifestSchema);
  if ('value' in read) return { manifest: read.value };
  const { problems, partial } = read;
  return { wrongs: problems, ...(partial !== undefined && { partial: over(blank, partial) as Manifest }) };
}

const blank: Manifest = {
  task_id: '',
  goal: '',
  routing: { intent: '', model: {}, pipeline: { flags: {}, options: {} } },
  scope: { allow: [], deny: [] },
  acceptance: { commands: [], criteria: [] },
  budgets: { retry_budget: 0, paid_call_budget: 0, max_wallclock_sec: 0 },
  context: { digest_policy: 'off' },
  security: { redaction_patterns: [], forbidden_paths: [] },
};

function over(under: unknown, value: unknown): unknown {
  if (!isObject(under) || !isObject(value)) return value;
  const both = Object.entries(value).map(([key, part]) => [key, over(under[key], part)]);
  return { ...under, ...Object.fromEntries(both) };
}

/** Blank, or with a character that no program takes in an argument. */
function blankness(words: string): string | undefined {
  if (words.includes('\0')) return 'holds a NUL character';
  return words.trim() === '' ? 'is blank' : undefined;
}

/** Asks the one who blacks things out: what it cannot use must not pass for a rule. */
function patternProblem(source: string): string | undefined {
  return patternFrom(source) ? undefined : `is no regular expression: ${quoted(complaint(source))}`;
}

function complaint(source: string): string {
  try {
    return `${new RegExp(source).source} holds an escape of another language`;
  } catch (error) {
    return (error as SyntaxError).message.split(': ').at(-1) ?? '';
  }
}

/** For a source that a checked manifest holds. */
export function compilePattern(source: string): Pattern {
  const pattern = patternFrom(source);
  if (pattern) return pattern;
  throw new DocketError('INVALID', `${quoted(source)} ${patternProblem(source)}`, 'mend redaction_patterns');
}
