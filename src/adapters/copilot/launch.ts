import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { readBytes, replaceFile } from '../../io/files.ts';
import { copyFolder } from '../../io/links.ts';
import type { AgentEvent, AgentRequest, Host, Launch, Permission, Usage } from '../adapter.ts';
import type { Rule } from '../classify.ts';
import { execute } from '../exec.ts';
import { turnShare } from '../fold.ts';
import { countIn, fieldsIn, objectIn } from '../pick.ts';
import { checkedId, ownId, uuid } from '../session-id.ts';
import { prepareHome, stateDir } from './home.ts';
import { CopilotReader } from './reader.ts';

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

/**
 * The CLI has no fork of its own. A copy of the session's folder under another id is one: history and usage are in
 * these two files, and a resume reads nothing else. Where a later version keeps them otherwise we say so.
 */
const files = ['events.jsonl', 'workspace.yaml'];

function forkSession(state: string | undefined, id: string, newId: string): string {
  const sessions = state === undefined ? undefined : path.join(state, 'session-state');
  const from = sessions && path.join(sessions, id);
  if (sessions === undefined || from === undefined || !readBytes(path.join(from, 'events.jsonl'))) {
    throw new DocketError(
      'NOT_FOUND',
      `copilot has no session ${id} that could be forked`,
      'begin a new session; copilot keeps its own in the folder session-state of its home',
      { adapter: 'copilot', session: id },
    );
  }
  copyFolder(from, path.join(sessions, newId), (copy) => {
    for (const name of files) rename(path.join(copy, name), id, newId);
  });
  return newId;
}

function rename(file: string, id: string, newId: string): void {
  const text = readBytes(file)?.toString('utf8');
  if (text?.includes(id)) {
    replaceFile(file, text.replaceAll(id, newId));
    return;
  }
  throw new DocketError(
    'REFUSED',
    `this version of copilot keeps its sessions in a way that docket cannot fork (${path.basename(file)})`,
    'resume the session instead, or begin a new one',
    { adapter: 'copilot', session: id },
  );
}

/** `session.error` has a type of its own and the HTTP status; what fails before the stream begins is on stderr. */
export const errors: readonly Rule[] = [
  { code: 'authentication', class: 'auth' },
  { code: /^(rate_limit|quota)/, class: 'limit' },
  { code: /^context_(limit|window)|too_large/, class: 'prompt-too-large', newSession: true },
  {
    status: 400,
    text: /(context|prompt|input).*(too (long|large)|exceed|maximum)/i,
    class: 'prompt-too-large',
    newSession: true,
  },
  { status: 404, text: /model/i, class: 'tooling' },
  {
    code: 'query',
    text: /Last error: (Failed native model HTTP request|fetch failed|.*(ECONNRESET|ETIMEDOUT|unexpected EOF|overloaded))/i,
    class: 'transient',
  },
  { exit: 1, text: /^Error: No authentication information found/m, class: 'auth' },
  { exit: 1, text: /^(Error: )?No session[^\n]*(matched|found)/im, class: 'tooling', newSession: true },
  { text: /^error: (unexpected argument|invalid value|the argument)/m, class: 'tooling' },
];

/** `--usage-output-file`, counted over the whole session. A run that was ended by force leaves none. */
export function* usageOf(
  file: string,
  request: Pick<AgentRequest, 'session' | 'usedBefore'>,
): Iterable<AgentEvent> {
  const text = readBytes(file)?.toString('utf8');
  if (text === undefined) return;
  const session = usageIn(text);
  if (session === undefined) {
    yield { type: 'warning', text: `the tokens are unknown: ${file} is not what it used to be` };
    return;
  }
  const turn = turnShare(session, request);
  yield turn === undefined ? { type: 'usage', session } : { type: 'usage', turn, session };
}

/** Over all models that took part. */
export function usageIn(text: string): Usage | undefined {
  const metrics = objectIn(text.trimStart())?.['modelMetrics'];
  if (typeof metrics !== 'object' || metrics === null) return undefined;
  const sum: Usage = { input: 0, cached: 0, output: 0 };
  for (const model of Object.values(metrics)) {
    const usage = fieldsIn(fieldsIn(model)['usage']);
    sum.input += countIn(usage['inputTokens']) ?? 0;
    sum.cached += countIn(usage['cacheReadTokens']) ?? 0;
    sum.output += countIn(usage['outputTokens']) ?? 0;
  }
  return sum;
}
