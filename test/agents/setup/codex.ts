import path from 'node:path';
import { settings, type Setup } from './setup.ts';

export const codexSetup: Setup = {
  name: 'codex',
  // A name of its own catalogue: an unknown one gets no tool for patches.
  model: 'gpt-5.5',
  prepare(home, url) {
    settings(home, '.codex/config.toml', config(url));
    return { CODEX_HOME: path.join(home, '.codex'), FAKE_KEY: 'fake' };
  },
};

// Without `plugins = false` every run waits five seconds at its end for a list from the network.
const config = (url: string): string => `
model_provider = "fake"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[features]
plugins = false
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`;
