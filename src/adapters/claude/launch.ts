import { DocketError } from '../../errors.ts';
import { runsAsRoot } from '../../io/identity.ts';
import type { AgentEvent, AgentRequest, Host, Launch } from '../adapter.ts';
import type { Rule } from '../classify.ts';
import { execute } from '../exec.ts';
import { linkFiles } from '../home.ts';
import { checkedId, uuid } from '../session-id.ts';
import { loginFile, usersHome } from './home.ts';
import { StreamReader } from './reader.ts';

const program = 'claude';

const editing = 'Edit,Write,NotebookEdit';

/** One turn of `claude -p`. Values hang on their flags by `=`, so that none of them can become a flag. */
export function launch(request: AgentRequest, machine: { root: boolean }): Launch {
  const { model, schema } = request;
  return {
    argv: [
      ...(request.command ?? [program]),
      '-p',
      '--output-format=stream-json',
      '--verbose',
      ...accessFlags(request, machine),
      ...sessionFlags(request),
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(schema === undefined ? [] : [`--json-schema=${JSON.stringify(schema)}`]),
    ],
    env: environment(request),
    stdin: { text: request.prompt },
  };
}

/**
 * Read offers tools that only look. A deny list alone would leave those that make work trees, timers and the like; it
 * stands beside them because it beats whatever the user's settings allow.
 */
function accessFlags(request: AgentRequest, machine: { root: boolean }): string[] {
  if (request.sandboxed) {
    const wanted = request.permission === 'read' ? [`--disallowedTools=${editing}`] : [];
    return ['--dangerously-skip-permissions', ...wanted];
  }
  switch (request.permission) {
    case 'full':
      if (machine.root && !saysSandbox(request)) throw rootError();
      return ['--dangerously-skip-permissions'];
    case 'edit':
      return ['--permission-mode=acceptEdits'];
    case 'read':
      return [
        '--permission-mode=dontAsk',
        '--tools=Read,Glob,Grep,WebFetch,WebSearch',
        `--disallowedTools=${editing},Bash`,
      ];
  }
}

function rootError(): DocketError {
  return new DocketError(
    'REFUSED',
    'claude does not work with permission "full" for root',
    'run docket as an ordinary user, give the agent "sandbox: bubblewrap", or set IS_SANDBOX=1 if this machine is one',
    { adapter: program, permission: 'full' },
  );
}

function sessionFlags({ session }: AgentRequest): string[] {
  switch (session.kind) {
    case 'new':
      return session.id === undefined ? [] : [`--session-id=${checked(session.id)}`];
    case 'resume':
      return [`--resume=${checked(session.id)}`];
    case 'fork':
      return [
        `--resume=${checked(session.id)}`,
        '--fork-session',
        ...(session.newId === undefined ? [] : [`--session-id=${checked(session.newId)}`]),
      ];
  }
}

function checked(id: string): string {
  return checkedId(id, uuid, program);
}

/** Waits between its own retries double up to minutes, even for a wrong key; docket has a policy of its own. */
const retries = '3';

function environment(request: AgentRequest): Record<string, string> {
  const { env, home } = request;
  return {
    // A run must not replace the program under the others.
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: env['CLAUDE_CODE_MAX_RETRIES'] ?? retries,
    ...((request.sandboxed || saysSandbox(request)) && { IS_SANDBOX: '1' }),
    ...(home !== undefined && { CLAUDE_CONFIG_DIR: home }),
  };
}

function saysSandbox({ env }: Pick<AgentRequest, 'env'>): boolean {
  return env['IS_SANDBOX'] === '1';
}

export async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  const start = launch(request, { root: runsAsRoot() });
  if (request.home !== undefined) linkFiles(usersHome(request), request.home, [loginFile]);
  yield* execute(request, host, { launch: start, reader: new StreamReader(request), errors });
}

/** Codes are `api_error_type`, the event's `error`, or the result's `subtype`. */
export const errors: readonly Rule[] = [
  { text: /^Prompt is too long/, class: 'prompt-too-large', newSession: true },
  { code: 'request_too_large', class: 'prompt-too-large', newSession: true },
  { code: 'refusal', class: 'refused' },
  { text: /^API Error: .*\b(violates?|Usage Policy)\b/, class: 'refused' },
  // Money, not time: waiting changes nothing.
  { code: 'billing_error', class: 'auth' },
  { text: /^(Credit balance is too low|You['’]ve hit your .*(spend limit|budget))/, class: 'auth' },
  { code: /^(authentication_error|authentication_failed|permission_error)$/, class: 'auth' },
  {
    text: /^(Not logged in|Invalid API key|Failed to authenticate|.{0,200}Please run \/login)/,
    class: 'auth',
  },
  { code: /^(rate_limit|rate_limit_error|usage_limit_reached)$/, class: 'limit' },
  { text: /^You(['’]ve (hit|reached) your|['’]re out of (extra )?usage)/, class: 'limit' },
  { code: /^(overloaded_error|api_error|server_error|timeout_error)$/, class: 'transient' },
  {
    text: /^(API Error: )?(Connection (error|dropped|closed|refused|reset)|Unable to connect to API|Request timed out|The socket connection)/,
    class: 'transient',
  },
  { text: /^No conversation found with session ID/m, class: 'tooling', newSession: true },
  // A process that began with this id died before docket knew; or another one has it open.
  { text: /^(Error: )?Session ID [0-9a-f-]+ is already in use/m, class: 'tooling', newSession: true },
  { text: /^error: (unknown option|option )/m, class: 'tooling' },
  { text: /^--dangerously-skip-permissions cannot be used/m, class: 'tooling' },
  { code: /^error_max_(turns|budget_usd)$/, class: 'tooling' },
  { status: 400, class: 'tooling' },
  { status: 404, class: 'tooling' },
];
