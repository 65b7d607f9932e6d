import type { AgentRequest, Launch, Permission } from '../adapter.ts';
import { checkedId, uuid } from '../session-id.ts';

const program = 'codex';

/** By default codex lets its shell write to all of /tmp, which belongs to everybody here. $TMPDIR is this attempt's own. */
const ownTempOnly = ['-c', 'sandbox_workspace_write.exclude_slash_tmp=true'];

export const sandboxes = { read: 'read-only', edit: 'workspace-write', full: 'danger-full-access' } as const;

/** What codex itself has to hold: nothing where an outer sandbox does. */
export function heldByCodex(request: Pick<AgentRequest, 'permission' | 'sandboxed'>): Permission {
  return request.sandboxed ? 'full' : request.permission;
}

/**
 * One turn of `codex exec`. Sandbox and folder stand before the subcommand: `resume` and `fork` do not know them, and a
 * resumed session without them is read-only, in the folder where it began. Values hang on their flags by `=`, so
 * that none of them can become a flag.
 */
export function execLaunch(request: AgentRequest, schemaFile?: string): Launch {
  const { session, model, effort } = request;
  return {
    argv: [
      ...(request.command ?? [program]),
      'exec',
      ...accessFlags(request),
      `--cd=${request.cwd}`,
      ...(session.kind === 'new' ? [] : [session.kind]),
      '--json',
      '--skip-git-repo-check',
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(effort === undefined ? [] : [`--config=model_reasoning_effort=${JSON.stringify(effort)}`]),
      ...(schemaFile === undefined ? [] : [`--output-schema=${schemaFile}`]),
      ...(session.kind === 'new' ? [] : [checkedId(session.id, uuid, program)]),
      '-',
    ],
    env: homeEnv(request),
    stdin: { text: request.prompt },
  };
}

export function appServerLaunch(request: AgentRequest): Launch {
  return {
    argv: [...(request.command ?? [program]), ...ownTempOnly, 'app-server'],
    env: homeEnv(request),
    stdin: 'open',
  };
}

function accessFlags(request: AgentRequest): string[] {
  const held = heldByCodex(request);
  if (held === 'full') return ['--dangerously-bypass-approvals-and-sandbox'];
  return [`--sandbox=${sandboxes[held]}`, ...ownTempOnly];
}

function homeEnv(request: AgentRequest): Record<string, string> {
  return request.home === undefined ? {} : { CODEX_HOME: request.home };
}
