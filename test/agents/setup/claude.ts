import path from 'node:path';
import type { Setup } from './setup.ts';

export const claudeSetup: Setup = {
  name: 'claude',
  prepare: (home, url) => ({
    CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'fake',
    // Ten retries with doubling waits are its default: minutes.
    CLAUDE_CODE_MAX_RETRIES: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    // Inside the namespace we are root, for whom it refuses to work without any guard unless told so.
    IS_SANDBOX: '1',
  }),
};
