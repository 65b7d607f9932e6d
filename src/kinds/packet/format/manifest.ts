import type { Wrong } from '../../../layout/layout.ts';
import { anything, keys, needed, unless } from '../../../schema/mapping.ts';
import { count, list, text, word, yesNo, type Rule } from '../../../schema/rule.ts';
import type { Json } from '../../../schema/value.ts';
import { isProfileName, optionsOf, profileAdvice, timeoutModes, type TimeoutMode } from './config/words.ts';
import { blankness, idProblem, outsideBecause, patternProblem } from './manifest-values.ts';
import { readBy } from './reading.ts';
import type { Tool } from './stages.ts';

/** `manifest.yaml` in its normal form: the file's own words, and what is empty where it says nothing. */
export type Manifest = {
  task_id: string;
  goal: string;
  routing: {
    /** The name of a profile. */
    intent: string;
    model: { [tool in Tool]?: string };
    pipeline: { flags: ManifestFlags; options: ManifestOptions; profile?: string };
  };
  /** Paths from the root. An empty `allow` allows nothing. */
  scope: { allow: string[]; deny: string[] };
  acceptance: { commands: string[]; criteria: string[] };
  /** The last two are docket's own; absent, there is no cap. */
  budgets: {
    retry_budget: number;
    paid_call_budget: number;
    max_wallclock_sec: number;
    tokens?: number;
    cost_usd?: number;
  };
  context: { digest_policy: DigestPolicy };
  security: { redaction_patterns: string[]; forbidden_paths: string[] };
  /** What becomes of the packet when it is done and old packets are cleared away; absent, the settings say it. */
  retention?: Retention;
  security_review_mode?: Json;
  security_sensitive?: Json;
};
type ManifestFlags = { enable_brief?: boolean; enable_verify?: boolean; enable_review?: boolean };
type ManifestOptions = {
  impl_mode?: 'safe' | 'one_shot';
  review_mode?: 'codex_only' | 'cross';
  timeout_mode?: TimeoutMode;
};

export const digestPolicies = ['off', 'auto', 'aggressive'] as const;
export type DigestPolicy = (typeof digestPolicies)[number];
export const retentions = ['keep', 'archive', 'delete'] as const;
export type Retention = (typeof retentions)[number];

const sentence = unless(text(), blankness, 'Write a sentence.');
const path = unless(text(), outsideBecause, 'Name a path inside the project, from its root.');
const command = unless(text(), blankness, 'Write a shell command.');
const pattern = unless(
  text(),
  patternProblem,
  'Write a regular expression of JavaScript; "(?i)" may stand at its start.',
);
const profile = unless(
  text(),
  (name) => (isProfileName(name) ? undefined : 'is no name of a profile'),
  profileAdvice,
);
const amount = count(0, Number.MAX_SAFE_INTEGER, 0);

/** A cost is no whole number. */
const cost: Rule<number> = (value, path, mistakes) => {
  if (typeof value === 'number' && value >= 0) return value;
  const fix = 'Write US dollars, such as 2.50.';
  mistakes.push({ path, message: `${path.join('.')} must be a number of at least 0`, fix });
  return 0;
};

/** YAML reads an id of digits without quotes as a number. */
const id: Rule<string> = (value, path, mistakes) =>
  text()(typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value, path, mistakes);

/** YAML 1.1 reads `off` as false, and writes it so. */
const digestPolicy: Rule<DigestPolicy> = (value, path, mistakes) =>
  word(digestPolicies)(value === false ? 'off' : value, path, mistakes);

const manifestRule: Rule<Manifest> = keys(
  {
    task_id: needed(
      unless(id, idProblem, 'Use up to 128 letters, digits, ".", "_" and "-"; begin with a letter or digit.'),
      'task_id: 20260218-001',
    ),
    goal: needed(sentence, 'goal: What is to be done, in one sentence'),
    routing: needed(
      keys({
        intent: needed(profile, 'intent: safe_impl'),
        model: keys({}, { codex: text(), gemini: text(), copilot: text() }),
        pipeline: keys(
          {
            flags: keys(
              {},
              { enable_brief: yesNo(true), enable_verify: yesNo(true), enable_review: yesNo(true) },
            ),
            options: keys(
              {},
              {
                impl_mode: word(optionsOf.impl.impl_mode),
                review_mode: word(optionsOf.review.review_mode),
                timeout_mode: word(timeoutModes),
              },
            ),
          },
          { profile },
        ),
      }),
      'routing: {intent: safe_impl}',
    ),
    scope: needed(
      keys({ allow: needed(list(path), 'allow: [src/]'), deny: needed(list(path), 'deny: [.env]') }),
      'scope: {allow: [src/], deny: [.env]}',
    ),
    acceptance: needed(
      keys({
        commands: needed(list(command), 'commands: []'),
        criteria: needed(list(sentence), 'criteria: []'),
      }),
      'acceptance: {commands: [], criteria: []}',
    ),
    budgets: needed(
      keys(
        {
          retry_budget: needed(amount, 'retry_budget: 2'),
          paid_call_budget: needed(amount, 'paid_call_budget: 10'),
          max_wallclock_sec: needed(amount, 'max_wallclock_sec: 900'),
        },
        { tokens: amount, cost_usd: cost },
      ),
      'budgets: {retry_budget: 2, paid_call_budget: 10, max_wallclock_sec: 900}',
    ),
    context: needed(
      keys({ digest_policy: needed(digestPolicy, 'digest_policy: auto') }),
      'context: {digest_policy: auto}',
    ),
    security: keys({ redaction_patterns: list(pattern), forbidden_paths: list(path) }),
  },
  { retention: word(retentions), security_review_mode: anything, security_sensitive: anything },
);

/** Everything that is wrong at once, and beside it what could be read for all that. Never throws. */
export function readManifest(text: string): { manifest: Manifest } | { wrongs: Wrong[]; partial?: Manifest } {
  const read = readBy(text, manifestRule);
  return 'value' in read ? { manifest: read.value } : read;
}
