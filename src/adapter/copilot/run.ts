import type { AgentEvent, AgentRequest, Host } from '../adapter.ts';
import { execute } from '../exec.ts';
import { errors } from './errors.ts';
import { launch } from './launch.ts';
import { CopilotReader } from './reader.ts';
import { usageOf } from './usage.ts';

export async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  const { session, usageFile, ...start } = launch(request);
  const reader = new CopilotReader(session);
  for await (const event of execute(request, host, { launch: start, reader, errors })) {
    // Its count of tokens is complete when the process has ended.
    if (event.type === 'end') yield* usageOf(usageFile, request);
    yield event;
  }
}
