import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { AgentRequest, Permission } from '../../../src/adapters/adapter.ts';
import { codex } from '../../../src/adapters/codex/vendor.ts';
import { attempt, stage } from '../../support/attempt.ts';

const program = fileURLToPath(new URL('../../bin/codex-app-server.mjs', import.meta.url));
const thread = '01a1e21e-8db6-7733-ad75-f7b09dd3f063';

interface Play {
  answer?: string;
  permission?: Permission;
  request?: Partial<Pick<AgentRequest, 'session' | 'schema'>>;
}

/** A turn with a real process that speaks as codex does. `heard`: every message it was sent. */
async function play(scenario: string, { answer, permission = 'edit', request = {} }: Play = {}) {
  const at = stage();
  const log = path.join(at.root, 'heard.jsonl');
  const command = [process.execPath, program, scenario, log];
  const seen = await attempt(at, {
    adapter: codex,
    command,
    agent: { approvals: true, permission },
    request,
    ...(answer !== undefined && { options: { ask: () => Promise.resolve(answer) } }),
  });
  const heard = fs
    .readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { method?: string; params?: Record<string, unknown>; result?: unknown },
    );
  return { ...seen, heard, types: seen.events.map(({ type }) => type) };
}

describe('a turn', () => {
  it('opens a thread and says what it may do', async () => {
    const schema = { type: 'object' };
    const { turn, heard } = await play('answer', { permission: 'read', request: { schema } });
    expect(turn).toMatchObject({ session: thread, text: 'done', exit: { code: 0 } });
    expect(turn.error).toBeUndefined();
    expect(heard.map(({ method }) => method)).toEqual([
      'initialize',
      'initialized',
      'thread/start',
      'turn/start',
    ]);
    expect(heard[2]?.params).toMatchObject({ sandbox: 'read-only', approvalPolicy: 'on-request' });
    expect(heard[3]?.params).toMatchObject({
      threadId: thread,
      input: [{ type: 'text', text: 'Do it.' }],
      sandboxPolicy: { type: 'readOnly' },
      outputSchema: schema,
    });
  });

  it.each(['resume', 'fork'] as const)('%s', async (kind) => {
    const { heard } = await play('answer', { request: { session: { kind, id: thread } } });
    expect(heard[2]).toMatchObject({ method: `thread/${kind}`, params: { threadId: thread } });
    expect(heard[3]?.params).toMatchObject({ sandboxPolicy: { excludeSlashTmp: true } });
  });

  it('counts its own tokens once, and not those of an earlier turn', async () => {
    const { turn } = await play('answer', { request: { session: { kind: 'resume', id: thread } } });
    expect(turn.usage).toEqual({ input: 200, cached: 0, output: 20 });
    expect(turn.sessionUsage).toEqual({ input: 323, cached: 0, output: 65 });
  });

  it('asks about every command where nothing else would hold it', async () => {
    const { heard } = await play('answer', { permission: 'full' });
    expect(heard[2]?.params).toMatchObject({ approvalPolicy: 'untrusted', sandbox: 'danger-full-access' });
  });
});

describe('approvals', () => {
  it('allow', async () => {
    const { turn, types, events } = await play('edit', { answer: 'accept' });
    expect(types).toEqual(['session', 'tool', 'question', 'tool', 'file', 'text', 'end']);
    expect(events[2]).toMatchObject({
      answer: 'accept',
      question: { about: 'edit', text: 'change /repo/a' },
    });
    expect(turn).toMatchObject({ files: [{ path: '/repo/a', change: 'add' }], denied: [] });
  });

  it.each(['decline', 'whatever', ''])('deny by %j', async (answer) => {
    const { turn, heard } = await play('edit', { answer });
    expect(heard.at(-1)?.result).toEqual({ decision: 'decline' });
    expect(turn).toMatchObject({ files: [], denied: ['edit: change /repo/a'] });
  });

  it('deny when nobody is there to ask', async () => {
    const { turn, heard } = await play('edit');
    expect(heard.at(-1)?.result).toMatchObject({
      decision: expect.stringMatching(/^(decline|cancel)$/) as unknown,
    });
    expect(turn.files).toEqual([]);
  });

  it('a no that ends the turn', async () => {
    const { turn } = await play('edit', { answer: 'cancel' });
    expect(turn.error).toMatchObject({ message: 'the turn was interrupted' });
  });

  it('a form that nobody can fill in is declined', async () => {
    const { turn } = await play('form', { answer: 'accept' });
    expect(JSON.parse(turn.text ?? '')).toMatchObject({ action: 'decline' });
    expect(turn.denied).toHaveLength(1);
  });

  it('what we do not know is refused, not left open', async () => {
    const { turn } = await play('unheard');
    expect(turn.text).toBe('-32601');
  });
});

describe('ends', () => {
  it.each([
    ['unknown', { class: 'tooling', newSession: true }],
    ['dies', { class: 'crashed' }],
    ['leaves', { class: 'crashed' }],
    ['fails', { class: 'transient', status: 503 }],
    ['limit', { class: 'limit', resetAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown }],
  ])('%s', async (scenario, error) => {
    const { turn } = await play(scenario);
    expect(turn.error).toMatchObject(error);
    expect(turn.exit?.stopped).toBeUndefined();
  });

  it('rubbish between the messages does no harm', async () => {
    const { turn } = await play('rubbish');
    expect(turn).toMatchObject({ text: 'still here' });
    expect(turn.error).toBeUndefined();
  });

  it('a hostile session id starts nothing', async () => {
    const at = stage();
    const { turn, dir } = await attempt(at, {
      adapter: codex,
      agent: { approvals: true },
      request: { session: { kind: 'resume', id: '--help' } },
    });
    expect(turn.error).toMatchObject({
      class: 'tooling',
      message: expect.stringContaining('--help') as unknown,
    });
    expect(fs.readdirSync(dir)).toEqual([]);
  });
});
