import path from 'node:path';
import { settings, type Setup } from './setup.ts';

export const opencodeSetup: Setup = {
  name: 'opencode',
  model: 'fake/fake-model',
  prepare(home, url) {
    settings(home, '.config/opencode/opencode.json', JSON.stringify(config(url)));
    settings(
      home,
      'models.json',
      JSON.stringify({ fake: { id: 'fake', name: 'Fake', env: [], models: {} } }),
    );
    return {
      XDG_CONFIG_HOME: path.join(home, '.config'),
      XDG_DATA_HOME: path.join(home, '.local/share'),
      XDG_STATE_HOME: path.join(home, '.local/state'),
      XDG_CACHE_HOME: path.join(home, '.cache'),
      // Its own list of all models there are costs it two seconds of work at every start.
      OPENCODE_MODELS_PATH: path.join(home, 'models.json'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    };
  },
};

const config = (url: string): object => ({
  autoupdate: false,
  share: 'disabled',
  snapshot: false,
  lsp: false,
  formatter: false,
  model: 'fake/fake-model',
  small_model: 'fake/fake-model',
  enabled_providers: ['fake'],
  provider: {
    fake: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Fake',
      options: { baseURL: `${url}/v1`, apiKey: 'fake' },
      models: { 'fake-model': { name: 'Fake', limit: { context: 100_000, output: 8000 } } },
    },
  },
});
