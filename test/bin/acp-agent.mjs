#!/usr/bin/env node
// An agent that speaks ACP. The prompt is a list of words: say:X, write:NAME, ask:NAME, refuse, fail:CODE, hang, noise, error.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';

const state = process.env.ACP_STATE;
const past = (id) => path.join(state, `${id}.txt`);
const sessions = new Map();

process.stdout.write('starting up, not JSON\n');
agent({ name: 'fake' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    const sessionId = `acp-${process.pid}`;
    sessions.set(sessionId, params.cwd);
    return { sessionId };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    const { sessionId, cwd } = params;
    if (!existsSync(past(sessionId))) throw new RequestError(-32002, 'Resource not found');
    sessions.set(sessionId, cwd);
    await tell(client, sessionId, 'something said long ago');
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const cwd = sessions.get(sessionId);
    const seen = existsSync(past(sessionId)) ? readFileSync(past(sessionId), 'utf8') : '';
    appendFileSync(past(sessionId), `${prompt[0].text};`);
    let stopReason = 'end_turn';
    for (const word of prompt[0].text.split(' ')) {
      const [verb, what] = word.split(':');
      if (verb === 'say') await tell(client, sessionId, `${what} seen=${seen}`);
      if (verb === 'write') await write(client, sessionId, path.join(cwd, what));
      if (verb === 'ask' && (await ask(client, sessionId, what)))
        await write(client, sessionId, path.join(cwd, what));
      if (verb === 'refuse') stopReason = 'refusal';
      if (verb === 'error') await tell(client, sessionId, 'Error: 429 too many requests');
      if (verb === 'fail') throw new RequestError(Number(what), `failed with ${what}`);
      if (verb === 'hang') await new Promise(() => setInterval(() => undefined, 1000));
      if (verb === 'noise') process.stdout.write('not JSON\n{"half":\n');
    }
    return { stopReason };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

function tell(client, sessionId, text) {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  return client.notify(methods.client.session.update, { sessionId, update });
}

async function write(client, sessionId, file) {
  const toolCallId = `call-${path.basename(file)}`;
  const update = (fields) =>
    client.notify(methods.client.session.update, { sessionId, update: { toolCallId, ...fields } });
  await update({
    sessionUpdate: 'tool_call',
    title: `Write ${path.basename(file)}`,
    kind: 'edit',
    status: 'in_progress',
  });
  writeFileSync(file, 'by acp\n');
  const content = [{ type: 'diff', path: file, newText: 'by acp\n' }];
  await update({ sessionUpdate: 'tool_call_update', status: 'completed', content });
}

async function ask(client, sessionId, name) {
  const { outcome } = await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: `ask-${name}`, title: `Write ${name}?`, kind: 'edit' },
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  });
  return outcome.outcome === 'selected' && outcome.optionId === 'yes';
}
