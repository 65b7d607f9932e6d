import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { createFile, listDir, makeDir, readBytes, replaceFile, sizeAndInode } from '../../io/files.ts';
import { removeTree } from '../../io/folders.ts';
import { exists, linkUnlessThere, writePrivate } from '../../io/links.ts';
import type { AgentEvent, AgentRequest, Host, Launch } from '../adapter.ts';
import { execute } from '../exec.ts';
import { linkFiles } from '../home.ts';
import { checkedId, ownId, uuid } from '../session-id.ts';
import { errors } from './errors.ts';
import { GeminiReader } from './reader.ts';
import { policyFor, settingsOver } from './settings.ts';
import { loginFiles, stateDir } from './state.ts';

/** Without a name it first asks another model which one to take: a call more, and a wrong one for a small plan. */
const defaultModel = 'gemini-2.5-pro';

export function launch(request: AgentRequest): Launch {
  const { permission, sandboxed, dir } = request;
  const argv = [...(request.command ?? ['gemini']), '--output-format=stream-json'];
  argv.push(`--model=${request.model ?? defaultModel}`);
  const policy = policyFor(permission, sandboxed);
  argv.push(`--approval-mode=${modeFor(request, policy === undefined)}`);
  if (policy !== undefined) {
    const file = path.join(dir, 'gemini-policy.toml');
    replaceFile(file, policy);
    argv.push(`--admin-policy=${file}`);
  }
  if (request.ownSandbox) argv.push('--sandbox');
  argv.push(sessionFlag(request));
  return {
    argv,
    env: { GEMINI_CLI_HOME: makeView(request), ...fixed },
    stdin: { text: plainPrompt(request.prompt) },
  };
}

const modes = ['default', 'auto_edit', 'yolo'];

/** What was asked for, as far as the permission goes. */
function modeFor({ permission, approvalMode }: AgentRequest, isOpen: boolean): string {
  const most = isOpen ? 'yolo' : permission === 'edit' ? 'auto_edit' : 'default';
  const asked = modes.indexOf(approvalMode ?? most);
  return asked >= 0 && asked < modes.indexOf(most) ? (modes[asked] as string) : most;
}

const fixed = {
  // It would start itself a second time, and whoever ends the first process leaves the second one at work.
  GEMINI_CLI_NO_RELAUNCH: 'true',
  // Else it stops with code 55 in a folder that the user has not opened by hand before.
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
};

function sessionFlag(request: AgentRequest): string {
  const { session } = request;
  if (session.kind === 'new') {
    return `--session-id=${session.id === undefined ? ownId(request.dir) : checkedId(session.id, uuid, 'gemini')}`;
  }
  const id = checkedId(session.id, uuid, 'gemini');
  const found = findSession(stateDir(request), id);
  // A session is looked for among those of the folder. Elsewhere, and for a fork, it begins with a copy.
  if (session.kind === 'fork' || (found !== undefined && found.folder !== request.cwd)) {
    return `--session-file=${copyOfSession(found, id, request.dir)}`;
  }
  return `--resume=${id}`;
}

/** A prompt that begins with a slash would be taken for one of its commands. */
function plainPrompt(prompt: string): string {
  return /^\s*[/?]/.test(prompt) ? `The task:\n\n${prompt}` : prompt;
}

export async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  try {
    yield* execute(request, host, { launch: launch(request), reader: new GeminiReader(), errors });
  } finally {
    removeTree(viewDir(request));
  }
}

/** Transcripts, and to whom each of their folders belongs. They must be there to be linked. */
const kept = ['tmp', 'history'];

/** This attempt's view of the home; the caller removes it when the turn is over. */
function viewDir(request: Pick<AgentRequest, 'dir'>): string {
  return path.join(request.dir, 'gemini-home');
}

/**
 * Some settings must hold, and the user's settings.json is not ours to edit. A system-wide file would do, but gemini
 * takes it only from root. So an attempt sees the home through a folder of links, all but the settings: those are the
 * user's with ours laid over. Sessions, logins, extensions and memory are the real ones.
 */
function makeView(request: AgentRequest): string {
  const state = stateDir(request);
  if (state === undefined) {
    throw new DocketError(
      'INVALID',
      'gemini has no home: neither HOME nor GEMINI_CLI_HOME is set',
      'set HOME, or "home" for this agent',
      { adapter: 'gemini' },
    );
  }
  if (request.home !== undefined) linkFiles(stateDir({ env: request.env }), state, loginFiles);
  for (const name of kept) makeDir(path.join(state, name));
  const view = viewDir(request);
  makeDir(path.join(view, '.gemini'));
  for (const name of listDir(state)) {
    if (!name.startsWith('settings.json'))
      linkUnlessThere(path.join(state, name), path.join(view, '.gemini', name));
  }
  for (const name of ['.agents', '.env']) {
    const beside = path.join(path.dirname(state), name);
    if (exists(beside)) linkUnlessThere(beside, path.join(view, name));
  }
  writePrivate(path.join(view, '.gemini', 'settings.json'), settingsOver(request, state));
  return view;
}

export interface FoundSession {
  file: string;
  /** Where it began, as gemini noted it. */
  folder: string | undefined;
}

/** Transcripts lie in `tmp/<project>/chats/session-<time>-<first 8 of the id>.jsonl`; the first line has the whole id. */
export function findSession(state: string | undefined, id: string): FoundSession | undefined {
  if (state === undefined) return undefined;
  const projects = path.join(state, 'tmp');
  const found: (FoundSession & { size: number })[] = [];
  for (const project of listDir(projects)) {
    const chats = path.join(projects, project, 'chats');
    if (!sizeAndInode(chats)) continue;
    for (const name of listDir(chats)) {
      if (!name.endsWith(`-${id.slice(0, 8)}.jsonl`)) continue;
      const file = path.join(chats, name);
      const folder = readBytes(path.join(projects, project, '.project_root'))
        ?.toString('utf8')
        .trim();
      if (idIn(file) === id.toLowerCase()) found.push({ file, folder, size: sizeAndInode(file)?.size ?? 0 });
    }
  }
  // A resume may leave a second, empty file of the same id.
  return found.toSorted((a, b) => b.size - a.size)[0];
}

/** The copy stays as it is, whatever the original does next. */
export function copyOfSession(found: FoundSession | undefined, id: string, dir: string): string {
  const content = found && readBytes(found.file);
  if (content === undefined) {
    throw new DocketError(
      'NOT_FOUND',
      `gemini has no transcript of the session ${id}`,
      'begin a new session; gemini keeps its own in the folder tmp of its home',
      { adapter: 'gemini', session: id },
    );
  }
  const copy = path.join(dir, 'gemini-session.jsonl');
  createFile(copy, content);
  return copy;
}

function idIn(file: string): string | undefined {
  const content = readBytes(file);
  if (content === undefined) return undefined;
  const end = content.indexOf(10);
  const first = content.subarray(0, end < 0 ? content.length : end).toString('utf8');
  return /"sessionId":\s*"([0-9a-f-]{36})"/i.exec(first)?.[1]?.toLowerCase();
}
