import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DocketError } from '../../../src/errors.ts';
import { mcpClients } from '../../../src/project/for-agent/mcp-clients.ts';
import { clipped, lastRows, rowsFrom, textFrom } from '../../../src/surfaces/mcp/cut.ts';
import { Pace } from '../../../src/surfaces/mcp/desk.ts';
import { Lines } from '../../../src/surfaces/mcp/lines.ts';
import { retryNote } from '../../../src/surfaces/mcp/tools.ts';
import { LineTransport } from '../../../src/surfaces/mcp/transport.ts';

describe('Lines', () => {
  it('cuts at line ends wherever the pieces end, and drops what is too long', () => {
    const lines = new Lines(6);
    expect(lines.push('on')).toEqual([]);
    expect(lines.push('e\ntwo\nthr')).toEqual(['one', 'two']);
    expect(lines.push('ee of them')).toEqual([]);
    expect(lines.push('\nfour')).toEqual([undefined]);
    expect(lines.rest()).toEqual(['four']);
  });

  it('puts a letter together again that came in two pieces', () => {
    const bytes = Buffer.from('ä\n');
    const lines = new Lines(10);
    expect([...lines.push(bytes.subarray(0, 1)), ...lines.push(bytes.subarray(1))]).toEqual(['ä']);
  });
});

describe('LineTransport', () => {
  it('takes no more questions while nobody reads the answers', async () => {
    const asked: number[] = [];
    let read = () => {};
    const stdout = { write: () => false, drained: () => new Promise<void>((done) => (read = done)) };
    const questions = [1, 2].map((id) => Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`));
    const transport = new LineTransport({ stdin: Readable.from(questions), stdout });
    Object.assign(transport, { onmessage: ({ id }: { id: number }) => asked.push(id) });
    const over = transport.read(new AbortController().signal);
    await setImmediate();
    expect(asked).toEqual([1]);
    read();
    await setImmediate();
    expect(asked).toEqual([1, 2]);
    read();
    await over;
  });
});

describe('Pace', () => {
  it('lets so many through in a minute, and says when there is a next one', () => {
    let now = 0;
    const pace = new Pace(60, () => now);
    for (let n = 0; n < 60; n += 1) expect(pace.take()).toBe(0);
    expect(pace.take()).toBe(1);
    now += 1000;
    expect(pace.take()).toBe(0);
    now -= 60_000; // a clock that is set back gives nothing and takes nothing
    expect(pace.take()).toBe(1);
  });
});

describe('what is cut', () => {
  it('says how to get the rest', () => {
    expect(rowsFrom([1, 2, 3], 1, 1, 'call')).toEqual({
      shown: [2],
      more: ['1 more of 3: call and offset 2'],
    });
    expect(rowsFrom([1, 2, 3], 5, 1, 'call')).toEqual({ shown: [], more: [] });
    expect(lastRows([1, 2, 3], 2, 'call')).toEqual({ shown: [2, 3], more: ['1 earlier ones: call'] });
  });

  it('gives every character of a text once, whatever its size', () => {
    const text = 'a😀b😀😀c';
    let found = '';
    for (let offset = 0; offset < text.length;) {
      const { shown, more } = textFrom(text, offset, 2, 'call');
      expect(Buffer.from(shown).toString()).toBe(shown); // no half of a character
      found += shown;
      offset = Number(/offset (\d+)$/.exec(more[0] ?? '')?.[1] ?? text.length);
    }
    expect(found).toBe(text);
    expect(clipped(text, 3)).toBe('a…');
  });
});

describe('an error after which nobody knows', () => {
  it('says how to go on without a second task; a plain no stays as it is', () => {
    const no = new DocketError('INVALID', 'no', 'fix');
    expect(retryNote(no, 'k')).toBe(no);
    const full = new DocketError('DISK_FULL', 'no space', 'make room');
    expect(retryNote(full, 'k')).toMatchObject({
      code: 'DISK_FULL',
      fix: expect.stringMatching(/key "k".*make room/) as string,
      data: { key: 'k' },
    });
    expect(retryNote(new Error('?'), 'k')).toMatchObject({ code: 'INTERNAL' });
  });
});

it('tells every client how to start it, whatever is in the path, and keeps places out of what people share', async () => {
  const root = `/my "own" folder's`;
  const configs = await mcpClients({
    here: (name) => ['docket', 'mcp', '--root', root, '--as', name],
    shared: (name) => ['docket', 'mcp', '--as', name],
  });
  const text = (client: string) => configs.find((one) => one.client.startsWith(client))?.text ?? '';
  expect(text('Claude Code')).toBe(
    `claude mcp add docket -- docket mcp --root '/my "own" folder'\\''s' --as claude`,
  );
  expect(JSON.parse(text('Claude Code, for everybody'))).toEqual({
    mcpServers: { docket: { command: 'docket', args: ['mcp', '--as', 'claude'] } },
  });
  expect(text('Codex, by hand')).toContain(String.raw`"/my \"own\" folder's"`);
  expect(JSON.parse(text('Gemini CLI'))).toMatchObject({ mcpServers: { docket: { command: 'docket' } } });
  expect(JSON.parse(text('opencode'))).toEqual({
    mcp: { docket: { type: 'local', command: ['docket', 'mcp', '--root', root, '--as', 'opencode'] } },
  });
});
