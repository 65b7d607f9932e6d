import type { Rule, Symptoms } from '../classify.ts';
import { countIn, fieldsIn, objectIn, textIn } from '../pick.ts';

/** Codes are those of the model's API and of the app-server; texts are what `exec` prints instead of a code. */
export const errors: readonly Rule[] = [
  {
    code: /^(context_length_exceeded|contextWindowExceeded)$/,
    class: 'prompt-too-large',
    newSession: true,
  },
  {
    text: /^Codex ran out of room in the model's context window/,
    class: 'prompt-too-large',
    newSession: true,
  },
  // The prompt alone is too long: a new session would not help.
  { text: /^(Error: .*)?Input exceeds the maximum length of /m, class: 'prompt-too-large' },
  { code: /^(cyberPolicy|misalignmentPolicyViolation|invalid_prompt)$/, class: 'refused' },
  // Money, not time: waiting changes nothing.
  { code: /^insufficient_quota$/, class: 'auth' },
  { text: /^(Quota exceeded\.|To use Codex with your ChatGPT plan, upgrade)/, class: 'auth' },
  {
    code: /^(usageLimitExceeded|rateLimitExceeded|usage_limit_reached|rate_limit_exceeded)$/,
    class: 'limit',
  },
  { text: /^You(['’]ve| have) hit your usage limit/, class: 'limit' },
  { code: 'unauthorized', class: 'auth' },
  {
    text: /^(Your (access token|authentication session) could not be refreshed|Missing environment variable: )/,
    class: 'auth',
  },
  {
    code: /^(serverOverloaded|internalServerError|flexUnavailable|policyCapacityUnavailable|server_error)$/,
    class: 'transient',
  },
  {
    text: /^(We(['’]re| are) currently experiencing high demand|Selected model is at capacity|stream disconnected|error sending request|request timed out)/,
    class: 'transient',
  },
  // Another process is writing to this session; it will end.
  { text: /^.*(thread_active_writer|already has an active writer)/m, class: 'transient' },
  {
    text: /^(Error: .*)?(thread\/(resume|fork) failed: )?no rollout found for (thread|conversation) id /m,
    class: 'tooling',
    newSession: true,
  },
  {
    code: /^(badRequest|invalid_request_error|invalid_json_schema|modelNotFound|sandboxError)$/,
    class: 'tooling',
  },
  // It has no `exec fork` as yet: `fork` is a prompt to it, and the id of the parent one argument too many.
  {
    exit: 2,
    text: /^error: unexpected argument '[0-9a-f-]{36}' found/m,
    class: 'tooling',
    says: 'this codex is too old to fork a session with exec (0.148 is the first that can): update it, or use codex-app-server, which can',
  },
  { exit: 2, text: /^error: /m, class: 'tooling' },
  { text: /^(Error: )?(Not inside a trusted directory|Model provider `[^`]*` not found)/m, class: 'tooling' },
  {
    code: /^(httpConnectionFailed|responseStreamConnectionFailed|responseStreamDisconnected)$/,
    class: 'transient',
  },
];

/**
 * `exec` has no field for a status or a code. It puts the status into its sentence, and where the API answered with
 * an error of its own, the whole body.
 */
export function symptomsOf(message: string): Symptoms {
  const status = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/.exec(message)?.[1];
  if (status !== undefined) return { message, status: Number(status) };
  const body = objectIn(message);
  if (body === undefined) return { message };
  const error = fieldsIn(body['error']);
  const code = textIn(error['code']) ?? textIn(error['type']);
  const resetsAt = countIn(error['resets_at']);
  return {
    message: textIn(error['message']) ?? message,
    ...(code !== undefined && { code }),
    ...(resetsAt !== undefined && { resetsAt }),
  };
}
