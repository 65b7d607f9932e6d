import fs from 'node:fs';
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/adapters/adapter.ts';
import { AppServerReader } from '../../../src/adapters/codex/app-server-reader.ts';
import { codex } from '../../../src/adapters/codex/vendor.ts';
import { JsonRpc } from '../../../src/adapters/json-rpc.ts';

/** A conversation that was recorded; nobody reads what is said to it now. */
function recorded(name: string) {
  const text = fs.readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8');
  return {
    async *lines() {
      for (const line of text.trimEnd().split('\n')) yield await Promise.resolve({ text: line });
    },
    send: () => Promise.reject(new Error('nobody reads')),
  };
}

async function replay(name: string) {
  const rpc = new JsonRpc(recorded(name));
  const reader = new AppServerReader({});
  const events: AgentEvent[] = [];
  let asked: readonly string[] | undefined;
  for await (const message of rpc.messages()) {
    if (message.kind === 'result') events.push(...reader.result(message.result));
    if (message.kind === 'notice') events.push(...reader.notice(message.method, message.params));
    if (message.kind === 'request') asked = reader.pathsOf('call_mwimm1d10022');
  }
  return { events, finish: reader.finish(), asked };
}

it('an edit', async () => {
  const edit = { type: 'tool', id: 'call_mwimm1d10022', name: 'edit' };
  const turn = { input: 100, cached: 0, output: 10 };
  expect(await replay('app-server-edit')).toEqual({
    events: [
      { type: 'session', id: '01a1e21e-8db6-7733-ad75-f7b09dd3f063' },
      { ...edit, phase: 'start', input: '/repo/out.txt' },
      { ...edit, phase: 'end', ok: true },
      { type: 'file', path: '/repo/out.txt', change: 'add' },
      { type: 'usage', session: turn, turn },
      { type: 'text', text: 'written' },
      { type: 'usage', session: { input: 200, cached: 0, output: 20 }, turn },
    ],
    finish: { finished: true, text: 'written' },
    asked: ['/repo/out.txt'],
  });
});

it('a limit', async () => {
  const message = 'exceeded retry limit, last status: 429 Too Many Requests';
  const { events, finish } = await replay('app-server-limit');
  expect(events.slice(1)).toEqual([{ type: 'limit', message }]);
  expect(finish).toEqual({ finished: false, failure: { message, status: 429 } });
});

it('a process that was found after a restart is only listened to', async () => {
  const process = {
    ...recorded('app-server-edit'),
    adopted: true,
    endInput: () => undefined,
    exited: Promise.resolve({ code: 0 }),
    stderrTail: () => '',
    isStopping: () => false,
    lastOutput: () => 0,
    use: () => Promise.resolve({ processes: 0, busy: 0, cpuMs: 0, ioBytes: 0 }),
    interrupt: () => Promise.resolve(() => undefined),
    stop: () => Promise.resolve({ code: 0 }),
  };
  const request = {
    prompt: 'Do it.',
    cwd: '/repo',
    permission: 'edit',
    approvals: true,
    sandboxed: false,
    session: { kind: 'new' },
    dir: '/attempt',
    env: {},
    about: { taskId: 'task-1', step: 'work', attempt: 1 },
  } as const;
  const events: AgentEvent[] = [];
  const ask = () => Promise.reject(new Error('too late to ask'));
  const run = codex.run(request, { start: () => Promise.resolve(process), ask, now: () => 0 });
  for await (const event of run) events.push(event);
  expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1);
  expect(events.at(-1)).toEqual({ type: 'end', exit: { code: 0 }, text: 'written' });
});
