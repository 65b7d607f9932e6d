import path from 'node:path';
import { replaceFile } from '../../io/files.ts';
import type { AgentEvent, AgentRequest, Host } from '../adapter.ts';
import { execute } from '../exec.ts';
import { linkFiles } from '../home.ts';
import { converse } from './app-server.ts';
import { errors } from './errors.ts';
import { loginFile, usersHome } from './home.ts';
import { execLaunch } from './launch.ts';
import { ExecReader } from './reader.ts';

export async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  if (request.home !== undefined) linkFiles(usersHome(request), request.home, [loginFile]);
  if (request.approvals) {
    yield* converse(request, host);
    return;
  }
  const launch = execLaunch(request, schemaFile(request));
  yield* execute(request, host, { launch, reader: new ExecReader(request), errors });
}

function schemaFile({ schema, dir }: AgentRequest): string | undefined {
  if (schema === undefined) return undefined;
  const file = path.join(dir, 'schema.json');
  replaceFile(file, JSON.stringify(schema));
  return file;
}
