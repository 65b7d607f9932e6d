import { DocketError } from '../../errors.ts';
import { runsAsRoot } from '../../io/identity.ts';
import type { AgentEvent, AgentRequest, Host, Launch } from '../adapter.ts';
import { execute } from '../exec.ts';
import { linkFiles } from '../home.ts';
import { checkedId, uuid } from '../session-id.ts';
import { errors } from './errors.ts';
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
