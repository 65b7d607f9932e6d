import { isBuiltIn } from '../../../task/id.ts';

/** The words of the configuration files, and which of them go together. */
export const groups = ['impl', 'review', 'plan'] as const;
export type Group = (typeof groups)[number];

export const purposes = ['impl', 'review', 'verify', 'plan', 'one_shot'] as const;
export type Purpose = (typeof purposes)[number];

export const efforts = ['low', 'medium', 'high', 'xhigh'] as const;
export type Effort = (typeof efforts)[number];

export const timeoutModes = ['enforce', 'wait_done'] as const;
export type TimeoutMode = (typeof timeoutModes)[number];

export const approvalModes = ['default', 'auto_edit', 'yolo'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** The flags that a group's profiles and manifests may set. */
export const flagsOf = {
  impl: ['enable_brief', 'enable_verify', 'enable_review'],
  review: ['enable_verify', 'enable_review'],
  plan: ['enable_codex_enrich', 'enable_gemini_enrich', 'enable_cross_review'],
} as const satisfies Record<Group, readonly string[]>;

/** The options that a group's profiles and manifests may set, and their values. */
export const optionsOf = {
  impl: { impl_mode: ['safe', 'one_shot'], timeout_mode: timeoutModes },
  review: { review_mode: ['codex_only', 'cross'], timeout_mode: timeoutModes },
  plan: { consolidate_mode: ['standard'], timeout_mode: timeoutModes },
} as const satisfies Record<Group, Record<string, readonly [string, ...string[]]>>;

/** The profile that a mode stands for. */
export const profileOfMode: Readonly<Record<string, string>> = {
  safe: 'safe_impl',
  one_shot: 'one_shot_impl',
  codex_only: 'codex_only',
  cross: 'review_cross',
};

/** Names of profiles are typed at the command line, stand in file names and are keys. */
export function isProfileName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name) && !isBuiltIn(name);
}
export const profileAdvice = 'Use a letter, then up to 63 letters, digits, "_" and "-".';
