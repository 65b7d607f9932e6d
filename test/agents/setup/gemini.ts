import { settings, type Setup } from './setup.ts';

export const geminiSetup: Setup = {
  name: 'gemini',
  // Without a name it first asks a model which model to ask.
  model: 'gemini-2.5-flash',
  prepare(home, url) {
    settings(home, '.gemini/settings.json', JSON.stringify(config));
    return { GEMINI_CLI_HOME: home, GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'fake' };
  },
};

const config = {
  general: {
    enableAutoUpdate: false,
    enableAutoUpdateNotification: false,
    // Ten with growing waits are its default: minutes.
    maxAttempts: 2,
  },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  security: { auth: { selectedType: 'gemini-api-key' } },
};
