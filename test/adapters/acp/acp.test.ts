import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { acp } from '../../../src/adapters/acp/adapter.ts';
import { defaultLimits } from '../../../src/adapters/agent.ts';
import { attempt, stage, type Seen, type Stage, type Wish } from '../../support/attempt.ts';
import { bin } from '../../support/child.ts';

function say(at: Stage, prompt: string, wish: Partial<Wish> = {}): Promise<Seen> {
  const env = { ACP_STATE: at.root };
  return attempt(at, {
    adapter: acp,
    prompt,
    command: [process.execPath, bin('acp-agent.mjs')],
    ...wish,
    agent: { env, ...wish.agent },
  });
}

const written = (at: Stage, name: string) => fs.existsSync(path.join(at.cwd, name));

describe('an ACP agent', () => {
  it('answers after its tools, over whatever else it prints', async () => {
    const at = stage();
    const { turn, events } = await say(at, 'say:before noise write:a.txt say:done');
    expect(turn.error).toBeUndefined();
    expect(turn).toMatchObject({ text: 'done seen=', exit: { code: 0 } });
    expect(turn.session).toMatch(/^acp-\d+$/);
    expect(turn.files).toEqual([{ path: path.join(at.cwd, 'a.txt'), change: 'add' }]);
    expect(turn.usage).toBeUndefined();
    const tools = events.filter(({ type }) => type === 'tool');
    expect(tools).toMatchObject([
      { phase: 'start', name: 'edit', input: 'Write a.txt' },
      { phase: 'end', name: 'edit', ok: true },
    ]);
  });

  it('goes on in its session, and its past is not taken for the answer', async () => {
    const at = stage();
    const first = await say(at, 'say:one');
    const { turn } = await say(at, 'say:two', {
      request: { session: { kind: 'resume', id: first.turn.session ?? '' } },
    });
    expect(turn).toMatchObject({ session: first.turn.session, text: 'two seen=say:one;' });
  });

  it.each([
    [{ approvals: false }, undefined, true],
    [{ approvals: true }, undefined, false], // nobody there to ask
    [{ approvals: true }, 'yes', true],
    [{ approvals: true }, 'no', false],
  ])('with %j and a person who says %s', async (agent, answer, expected) => {
    const at = stage();
    const options = answer === undefined ? {} : { ask: () => Promise.resolve(answer) };
    const { turn, events } = await say(at, 'ask:b.txt say:done', {
      agent: { env: { ACP_STATE: at.root }, ...agent },
      options,
    });
    expect(turn.error).toBeUndefined();
    expect(written(at, 'b.txt')).toBe(expected);
    expect(turn.denied).toEqual(expected ? [] : ['Write b.txt?']);
    expect(events.filter(({ type }) => type === 'question')).toMatchObject([
      { question: { text: 'Write b.txt?', about: 'edit' }, answer: expected ? 'yes' : 'no' },
    ]);
  });

  it.each([
    ['fail:-32000', 'auth'],
    ['fail:401', 'auth'],
    ['fail:429', 'limit'],
    ['fail:500', 'transient'],
    ['fail:-32603', 'unknown'],
    ['error', 'limit'],
    ['say:no refuse', 'refused'],
  ])('that ends with %s is judged %s', async (prompt, expected) => {
    const { turn } = await say(stage(), prompt);
    expect(turn.error?.class).toBe(expected);
  });

  it('whose session is gone needs a new one', async () => {
    const { turn } = await say(stage(), 'say:x', { request: { session: { kind: 'resume', id: 'acp-0' } } });
    expect(turn.error).toMatchObject({ newSession: true });
  });

  it('that hangs is ended', async () => {
    const limits = { ...defaultLimits, silenceMs: 300, graceMs: 200 };
    const at = stage();
    const { turn } = await say(at, 'hang', { agent: { env: { ACP_STATE: at.root }, limits } });
    expect(turn.error?.class).toBe('stall');
    expect(turn.exit?.stopped).toBe('stall');
  });

  it('that does not speak ACP, or ends at once, is told from an answer', async () => {
    const at = stage();
    const deaf = await say(at, 'x', { command: ['/bin/sh', '-c', 'echo hello; exit 3'] });
    expect(deaf.turn.error?.class).toMatch(/^(crashed|unknown|tooling)$/);
    expect(deaf.turn.text).toBeUndefined();
    const none = await attempt(at, { adapter: acp });
    expect(none.turn.error).toMatchObject({
      class: 'tooling',
      message: expect.stringContaining('needs a command') as string,
    });
  });
});
