import path from 'node:path';
import { DocketError, messageOf } from '../../errors.ts';
import { readBytes } from '../../io/files.ts';
import { exists } from '../../io/links.ts';
import type { AgentRequest } from '../adapter.ts';
import { overlay, parseJsonc } from '../jsonc.ts';
import { fieldsIn, textIn } from '../pick.ts';
import { stateDir } from './state.ts';

const ours = {
  general: {
    enableAutoUpdate: false,
    enableAutoUpdateNotification: false,
    // It would try ten times with growing pauses, minutes in silence. The engine tries again itself.
    maxAttempts: 3,
    // Its clean-up deletes sessions that were resumed in a later minute than they began.
    sessionRetention: { enabled: false },
  },
};

/** The settings in `state`, with what must hold laid over them. */
export function settingsOver(request: AgentRequest, state: string): string {
  const theirs = settingsIn(path.join(state, 'settings.json'));
  const all = overlay(overlay(theirs ?? {}, ours), theirs === undefined ? loginOf(request, state) : {});
  return JSON.stringify(all, undefined, 2);
}

/** How one logs in is a setting, too. A worker's own home that has none takes the user's, or what is at hand. */
function loginOf({ env }: AgentRequest, state: string): Record<string, unknown> {
  const user = stateDir({ env });
  const theirs =
    user === undefined || user === state ? undefined : settingsIn(path.join(user, 'settings.json'));
  const chosen = textIn(fieldsIn(fieldsIn(theirs?.['security'])['auth'])['selectedType']);
  const selectedType = chosen ?? usualLogin(env, state);
  return selectedType === undefined ? {} : { security: { auth: { selectedType } } };
}

function usualLogin(env: AgentRequest['env'], state: string): string | undefined {
  if (env['GOOGLE_GENAI_USE_VERTEXAI'] === 'true') return 'vertex-ai';
  if (env['GEMINI_API_KEY']) return 'gemini-api-key';
  return exists(path.join(state, 'oauth_creds.json')) ? 'oauth-personal' : undefined;
}

function settingsIn(file: string): Record<string, unknown> | undefined {
  const text = readBytes(file)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    return parseJsonc(text);
  } catch (error) {
    throw new DocketError(
      'BAD_FILE',
      `gemini's settings ${file} are not JSON: ${messageOf(error)}`,
      'correct that file; gemini itself cannot start with it either',
      { file },
      { cause: error },
    );
  }
}
