import path from 'node:path';
import { clisDir, type Setup } from './setup.ts';

export const copilotSetup: Setup = {
  name: 'copilot',
  model: 'fake-model',
  prepare: (home, url) => ({
    COPILOT_HOME: path.join(home, '.copilot'),
    // It unpacks itself at its first start: once for all homes.
    COPILOT_PKG_CACHE_HOME: path.join(clisDir(), 'unpacked'),
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'fake',
    COPILOT_MODEL: 'fake-model',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
};
