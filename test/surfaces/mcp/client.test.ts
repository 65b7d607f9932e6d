import { spawnSync } from 'node:child_process';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../support/scratch.ts';
import { bin, connectedBy } from './support.ts';

interface Called {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
}

/** The client holds every answer against the tool's own schema, and throws where it does not fit. */
async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  return (await client.callTool({ name, arguments: args })) as unknown as Called;
}

function errorOf({ isError, content }: Called): { code: string; message: string; fix: string } {
  expect(isError).toBe(true);
  return (JSON.parse(content[0]?.text ?? '') as { error: { code: string; message: string; fix: string } })
    .error;
}

function withBoard(): string {
  const root = scratch();
  const { status, stderr } = spawnSync(process.execPath, [bin, '--root', root, 'board', 'init']);
  if (status !== 0) throw new Error(String(stderr));
  return root;
}

const modes = [
  ['the handshake of 2025', 'legacy', '2025-11-25'],
  ['the requests of 2026', { pin: '2026-07-28' }, '2026-07-28'],
  ['a client that asks for the newest', 'auto', '2026-07-28'],
] as const;

describe.each(modes)('docket mcp, with the client of the SDK and %s', (_name, mode, version) => {
  const connected = (root: string, ...args: string[]) => connectedBy(mode, root, ...args);

  it('tells what it can do, and what each tool does to the project', async () => {
    const client = await connected(scratch());
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'docket' });
    expect(client.getInstructions()).toContain('docket_ask');
    const { tools } = await client.listTools();
    const changing = ['docket_create', 'docket_claim', 'docket_report', 'docket_ask'];
    expect(tools.map(({ name }) => name)).toEqual(['docket_list', 'docket_show', ...changing]);
    for (const { name, annotations, inputSchema, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: !changing.includes(name), destructiveHint: false });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object' });
    }
  });

  it('does the work of a day: create, claim, report, ask, list and show', async () => {
    const root = withBoard();
    const client = await connected(root, '--as', 'claude');
    const queued = await call(client, 'docket_create', { text: 'Fix the login\n\nIn src/.', key: 'k1' });
    expect(queued.structuredContent).toMatchObject({ kind: 'queue', trust: 'low', existing: false });
    const again = await call(client, 'docket_create', { text: 'Fix the login\n\nIn src/.', key: 'k1' });
    expect(again.structuredContent).toMatchObject({ id: queued.structuredContent?.['id'], existing: true });
    const made = await call(client, 'docket_create', { text: 'Write the docs', where: 'board' });
    expect(made.structuredContent).toMatchObject({ kind: 'board', id: 'T-001' });
    const claimed = await call(client, 'docket_claim', { id: 'T-001' });
    expect(claimed.structuredContent).toMatchObject({ owner: 'claude' });
    const report = { id: 'T-001', outcome: 'done', text: 'docs/a.md changed; `npm test`: 3 passed' };
    const reported = await call(client, 'docket_report', report);
    expect(reported.structuredContent).toMatchObject({ status: 'review', accepted: false });
    const asked = await call(client, 'docket_ask', { question: 'Which licence?' });
    expect(asked.structuredContent).toMatchObject({ id: 'T-002', status: 'blocked' });
    const { structuredContent } = await call(client, 'docket_list');
    expect(structuredContent).toMatchObject({ total: 3, counts: { blocked: 1, review: 1, queued: 1 } });
    const shown = await call(client, 'docket_show', { id: 'T-002' });
    expect(shown.structuredContent).toMatchObject({
      trust: 'low',
      questions: [{ question: 'Which licence?' }],
    });
    expect(JSON.parse(shown.content[0]?.text ?? '')).toEqual(shown.structuredContent);
  });

  it('answers what is wrong with what, why and the fix, and never with where in the program', async () => {
    const client = await connected(scratch());
    const wrong: [string, Record<string, unknown>, string][] = [
      ['docket_show', { id: 'nope' }, 'NOT_FOUND'],
      ['docket_show', { id: '../../etc/passwd' }, 'INVALID'],
      ['docket_show', {}, 'INVALID'],
      ['docket_create', { text: 'x'.repeat(20_000) }, 'INVALID'],
      ['docket_create', { text: 'x', trust: 'high' }, 'INVALID'],
      ['docket_create', { text: 'x', needs: ['gone'] }, 'NOT_FOUND'],
      ['docket_claim', { id: 'T-001' }, 'NOT_FOUND'],
      ['docket_list', { limit: 1e9 }, 'INVALID'],
    ];
    for (const [name, args, code] of wrong) {
      const error = errorOf(await call(client, name, args));
      expect(error).toMatchObject({ code });
      expect(error.fix).not.toBe('');
      expect(JSON.stringify(error)).not.toMatch(/\n\s+at |\.ts:\d|dist\//);
    }
    await expect(call(client, 'docket_trust', { id: 'x' })).rejects.toMatchObject({ code: -32602 });
  });

  it('has nothing but looking with --read-only', async () => {
    const client = await connected(scratch(), '--read-only');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['docket_list', 'docket_show']);
    await expect(call(client, 'docket_create', { text: 'x' })).rejects.toMatchObject({ code: -32602 });
  });
});
