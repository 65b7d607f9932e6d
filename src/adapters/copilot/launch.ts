import path from 'node:path';
import type { AgentEvent, AgentRequest, Host, Launch, Permission } from '../adapter.ts';
import { execute } from '../exec.ts';
import { checkedId, ownId, uuid } from '../session-id.ts';
import { errors } from './errors.ts';
import { forkSession } from './fork.ts';
import { prepareHome, stateDir } from './home.ts';
import { CopilotReader } from './reader.ts';
import { usageOf } from './usage.ts';

export interface CopilotLaunch extends Launch {
  session: string;
  usageFile: string;
}

/** What may be used without a question; with nobody there to ask, everything else is refused. Denials win. */
const grants: Readonly<Record<Permission, readonly string[]>> = {
  read: ['--deny-tool=write', '--deny-tool=shell', '--disallow-temp-dir'],
  // A shell command could write anywhere: its paths are guessed from its text, and nothing holds the rest.
  edit: ['--allow-tool=write', '--deny-tool=shell', '--disallow-temp-dir'],
  full: ['--allow-all'],
};

export function launch(request: AgentRequest): CopilotLaunch {
  const { cwd, dir, model } = request;
  const level = request.sandboxed ? 'full' : request.permission;
  const session = sessionOf(request);
  const usageFile = path.join(dir, 'copilot-usage.json');
  const argv = [
    ...(request.command ?? ['copilot']),
    '--output-format=json',
    '--no-auto-update',
    '--no-ask-user',
    '--no-color',
    '--log-level=none',
    ...grants[level],
    ...(model === undefined ? [] : [`--model=${model}`]),
    // A resumed session would go on in the folder where it began.
    '-C',
    cwd,
    `--usage-output-file=${usageFile}`,
    // `--session-id` takes an id that nobody has for a new session; a lost one has to be an error.
    request.session.kind === 'new' ? `--session-id=${session}` : `--resume=${session}`,
  ];
  // The user's own variable would lift every guard.
  const env = level === 'full' ? {} : { COPILOT_ALLOW_ALL: 'false' };
  return {
    argv,
    env: { ...prepareHome(request), ...env },
    stdin: { text: request.prompt },
    session,
    usageFile,
  };
}

function sessionOf(request: AgentRequest): string {
  const { session, dir } = request;
  const own = (id: string | undefined) => (id === undefined ? ownId(dir) : checkedId(id, uuid, 'copilot'));
  if (session.kind === 'new') return own(session.id);
  const id = checkedId(session.id, uuid, 'copilot');
  return session.kind === 'resume' ? id : forkSession(stateDir(request), id, own(session.newId));
}

export async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  const { session, usageFile, ...start } = launch(request);
  const reader = new CopilotReader(session);
  for await (const event of execute(request, host, { launch: start, reader, errors })) {
    // Its count of tokens is complete when the process has ended.
    if (event.type === 'end') yield* usageOf(usageFile, request);
    yield event;
  }
}
