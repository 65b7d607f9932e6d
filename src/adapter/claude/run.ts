import { runsAsRoot } from '../../io/user.ts';
import type { AgentEvent, AgentRequest, Host } from '../adapter.ts';
import { execute } from '../exec.ts';
import { linkFiles } from '../home.ts';
import { errors } from './errors.ts';
import { loginFile, usersHome } from './home.ts';
import { launch } from './launch.ts';
import { StreamReader } from './reader.ts';

export async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  const start = launch(request, { root: runsAsRoot() });
  if (request.home !== undefined) linkFiles(usersHome(request), request.home, [loginFile]);
  yield* execute(request, host, { launch: start, reader: new StreamReader(request), errors });
}
