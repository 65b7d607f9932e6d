import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { listDir, makeDir } from '../../io/files.ts';
import { exists, linkUnlessThere, writePrivate } from '../../io/links.ts';
import type { AgentRequest } from '../adapter.ts';
import { linkFiles } from '../home.ts';
import { settingsOver } from './settings.ts';
import { loginFiles, stateDir } from './state.ts';

/** Transcripts, and to whom each of their folders belongs. They must be there to be linked. */
const kept = ['tmp', 'history'];

/** This attempt's view of the home; the caller removes it when the turn is over. */
export function viewDir(request: Pick<AgentRequest, 'dir'>): string {
  return path.join(request.dir, 'gemini-home');
}

/**
 * Some settings must hold, and the user's settings.json is not ours to edit. A system-wide file would do, but gemini
 * takes it only from root. So an attempt sees the home through a folder of links, all but the settings: those are the
 * user's with ours laid over. Sessions, logins, extensions and memory are the real ones.
 */
export function makeView(request: AgentRequest): string {
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
