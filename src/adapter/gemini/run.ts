import { removeTree } from '../../io/folders.ts';
import type { AgentEvent, AgentRequest, Host } from '../adapter.ts';
import { execute } from '../exec.ts';
import { errors } from './errors.ts';
import { viewDir } from './home.ts';
import { launch } from './launch.ts';
import { GeminiReader } from './reader.ts';

export async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  try {
    yield* execute(request, host, { launch: launch(request), reader: new GeminiReader(), errors });
  } finally {
    removeTree(viewDir(request));
  }
}
