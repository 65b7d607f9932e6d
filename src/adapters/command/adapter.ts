import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { aboutEnv } from '../about-env.ts';
import type { Adapter, AgentEvent, AgentRequest, Host, Launch } from '../adapter.ts';
import type { Rule } from '../classify.ts';
import { endOf } from '../exec.ts';
import { Output } from './output.ts';
import { reportFile } from './report-file.ts';

/** Any executable: the prompt comes by stdin, and what it prints, or leaves in a file, is its answer. */
export const command: Adapter = {
  name: 'command',
  capabilities: {
    resume: false,
    fork: false,
    choosesId: false,
    movesFolder: true,
    structured: false,
    usage: 'none',
    approvals: false,
    toolStarts: false,
    replays: true,
    // We do not know what it does, so nothing but an outer sandbox can hold it.
    permissions: { read: 'none', edit: 'none', full: 'system' },
    plainReports: true,
  },
  passEnv: [],
  writable: () => [],
  login: () => 'unknown',
  run,
};

/** Words of the shell and of sysexits.h; every other code above 0 means what its last words say. */
const errors: readonly Rule[] = [
  { exit: 126, class: 'tooling' },
  { exit: 127, class: 'tooling' },
  { exit: 75, class: 'transient' },
  { exit: 77, class: 'auth' },
  { exit: 124, class: 'timeout' },
];

async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  const file = path.join(request.dir, 'agent-report.json');
  const child = await host.start(launchOf(request, file));
  const output = new Output();
  for await (const line of child.lines()) yield* output.line(line);
  const exit = await child.exited;
  const left = reportFile(file);
  if (left?.warning !== undefined) yield { type: 'warning', text: left.warning };
  const finish = output.finish(left?.report, exit, host.now());
  yield endOf(finish, exit, { strays: output.tail(), child, errors, now: host.now() });
}

function launchOf(request: AgentRequest, file: string): Launch {
  const { command: argv, session, permission, sandboxed, prompt } = request;
  if (argv === undefined || argv.length === 0) {
    throw new DocketError(
      'INVALID',
      'an agent with the adapter "command" has no command',
      'name the program in the settings: command: [./agent.sh]',
      { adapter: 'command' },
    );
  }
  if (session.kind !== 'new') {
    throw new DocketError(
      'REFUSED',
      `a command has no sessions: it cannot ${session.kind} ${session.id}`,
      'start it anew',
      { adapter: 'command', session: session.id },
    );
  }
  if (permission !== 'full' && !sandboxed) {
    throw new DocketError(
      'REFUSED',
      `a command cannot be held to "${permission}"`,
      'set "sandbox: bubblewrap" or "permission: full" for this agent',
      { adapter: 'command', permission },
    );
  }
  return { argv, env: { ...aboutEnv(request), DOCKET_REPORT: file }, stdin: { text: prompt } };
}
