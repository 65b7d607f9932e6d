import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentRequest } from '../../../src/adapters/adapter.ts';
import { command, reportFile } from '../../../src/adapters/command/adapter.ts';
import { DocketError } from '../../../src/errors.ts';
import { attempt, stage, type Seen } from '../../support/attempt.ts';
import { scratch } from '../../support/scratch.ts';

const sh = (script: string, ...wish: Partial<Parameters<typeof attempt>[1]>[]): Promise<Seen> =>
  attempt(stage(), Object.assign({ adapter: command, command: ['sh', '-c', script] }, ...wish));

const report = { status: 'success', summary: 'Done.' };
const json = JSON.stringify(report);

describe('a command', () => {
  test('gets the prompt by stdin and answers in words, line by line', async () => {
    const { turn, events } = await sh('cat; echo; echo bye', { prompt: 'Hello\n\nyou' });
    expect(turn).toMatchObject({ text: 'Hello\n\nyou\nbye', exit: { code: 0 } });
    expect(turn).not.toHaveProperty('structured');
    expect(turn).not.toHaveProperty('error');
    expect(turn).not.toHaveProperty('session');
    const texts = events.filter((event) => event.type === 'text').map(({ text }) => text);
    expect(texts).toEqual(['Hello', '', 'you', 'bye']);
    expect(events.at(-1)?.type).toBe('end');
  });

  test('may leave the prompt unread', async () => {
    const { turn } = await sh('echo ok', { prompt: 'x'.repeat(1_000_000) });
    expect(turn).toMatchObject({ text: 'ok' });
    expect(turn.error).toBeUndefined();
  });

  test('knows which work it is', async () => {
    const at = stage();
    const script =
      'echo "$DOCKET_TASK_ID|$DOCKET_STEP|$DOCKET_ATTEMPT|$DOCKET_WORKDIR|$PWD|$DOCKET_REPORT|$SECRET_KEY"';
    const { turn, dir } = await attempt(at, {
      adapter: command,
      command: ['sh', '-c', script],
      request: { about: { taskId: 'T-7', step: 'review', attempt: 3 } },
      options: {},
    });
    expect(turn.text).toBe(`T-7|review|3|${at.cwd}|${at.cwd}|${path.join(dir, 'agent-report.json')}|`);
  });

  test('leaves a report in its file: that comes first', async () => {
    const { turn } = await sh(
      `echo '${json}' > "$DOCKET_REPORT"; echo talk; echo '{"status":"failed","summary":"x"}'`,
    );
    expect(turn.structured).toEqual(report);
    expect(turn.text).toContain('talk');
    expect(turn.error).toBeUndefined();
  });

  test('leaves a report that is no JSON: it is handed on as it is', async () => {
    const { turn } = await sh(`printf 'Done:\\n\`\`\`json\\n%s\\n\`\`\`\\n' '${json}' > "$DOCKET_REPORT"`);
    expect(turn.structured).toBe(`Done:\n\`\`\`json\n${json}\n\`\`\``);
  });

  test('prints a report as its last line', async () => {
    expect((await sh(`echo talk; echo '${json}'; echo; echo`)).turn.structured).toEqual(report);
    expect((await sh(`echo '${json}'; echo talk`)).turn).not.toHaveProperty('structured');
    expect((await sh(`echo '{"ok":true}'`)).turn).not.toHaveProperty('structured');
    expect((await sh(`echo '{"status":"fai'`)).turn).not.toHaveProperty('structured');
  });

  test.each<[string, string, object]>([
    [
      'fails with its last words',
      'echo a >&2; echo "the disk is full" >&2; exit 3',
      { class: 'crashed', message: 'the disk is full (exit code 3)' },
    ],
    [
      'fails with words on stdout only',
      'echo "no such table"; exit 1',
      { class: 'crashed', message: 'no such table (exit code 1)' },
    ],
    ['fails without a word', 'exit 9', { class: 'crashed', message: expect.stringContaining('code 9') }],
    ['is killed', 'kill -9 $$', { class: 'crashed' }],
    [
      'ends well and says nothing',
      'true',
      { class: 'crashed', message: 'the agent exited 0 without a report' },
    ],
    ['is not there', 'exit 127', { class: 'tooling' }],
    ['asks for another time', 'echo "try later" >&2; exit 75', { class: 'transient', message: 'try later' }],
    [
      'is told of a limit, and exits with 0',
      `echo "You've hit your limit · resets 7pm (Europe/Berlin)"`,
      { class: 'limit', resetAt: expect.any(String) },
    ],
    [
      'is told of a limit, and exits with 1',
      `echo "You've hit your limit · resets in 2h"; echo noise >&2; exit 1`,
      { class: 'limit', resetAt: expect.any(String) },
    ],
    [
      'is told of a limit on stderr',
      'echo "Rate limit exceeded. Retry-After: 30" >&2; exit 1',
      { class: 'limit', resetAt: expect.any(String) },
    ],
    [
      'is told of a limit inside JSON',
      `echo '{"type":"result","is_error":true,"result":"You are out of extra usage · resets 2:30pm (UTC)"}'`,
      { class: 'limit' },
    ],
    ['declines', `echo "I'm sorry, but I can't help with that."`, { class: 'refused' }],
    ['has no money left', 'echo "Credit balance is too low"', { class: 'auth' }],
  ])('%s', async (_what, script, error) => {
    expect((await sh(script)).turn.error).toMatchObject(error);
  });

  test('that talks about limits has answered', async () => {
    const { turn } = await sh('echo "Rate limit exceeded errors are retried now."');
    expect(turn.error).toBeUndefined();
  });

  test('a report does not mend an exit code', async () => {
    const { turn } = await sh(`echo '${json}'; echo boom >&2; exit 1`);
    expect(turn).toMatchObject({
      structured: report,
      error: { class: 'crashed', message: 'boom (exit code 1)' },
    });
  });

  test('that cannot be started is a matter of tools', async () => {
    const { turn } = await attempt(stage(), { adapter: command, command: ['./no-such-agent'] });
    expect(turn.error).toMatchObject({ class: 'tooling', message: expect.stringContaining('no-such-agent') });
  });

  test('is held to its limits', async () => {
    const limits = { wallMs: 300, silenceMs: 60_000, toolSilenceMs: 60_000, graceMs: 200, outputBytes: 1e9 };
    const { turn } = await sh('echo hi; exec sleep 1000', { agent: { limits } });
    expect(turn).toMatchObject({ error: { class: 'timeout' }, exit: { stopped: 'timeout' } });
  });
});

describe('what comes out of a command is bounded', () => {
  test('a long talk keeps its end, and says so', async () => {
    const { turn, events } = await sh(
      'i=0; while [ $i -lt 60000 ]; do echo "line number $i"; i=$((i+1)); done',
    );
    expect(turn.text?.length).toBeLessThan(300_000);
    expect(turn.text).toMatch(/^… \(the beginning is in events\.jsonl\)\n/);
    expect(turn.text).toMatch(/line number 59999$/);
    expect(events.filter((event) => event.type === 'text')).toHaveLength(60_000);
  });

  test('a line too long for anybody is told, and is no report', async () => {
    const { turn } = await sh(
      `node -e 'process.stdout.write("{\\"status\\":\\"success\\",\\"summary\\":\\"" + "x".repeat(40e6) + "\\"}")'`,
    );
    expect(turn.structured).toBe(''); // it may have said "failed": an empty report, which nobody takes for a good one
    expect(turn.warnings).toEqual([expect.stringMatching(/^a line of 400000\d\d bytes was too long/)]);
  });

  test('bytes that are no text', async () => {
    const { turn } = await sh(`printf 'a\\000b\\377\\376c\\n'`);
    expect(turn.text).toBe('a\0b\uFFFD\uFFFDc');
  });
});

describe('a report file', () => {
  test.each<[string, (file: string) => void, object | undefined]>([
    ['is not there', () => undefined, undefined],
    ['is empty', (file) => fs.writeFileSync(file, ' \n'), { warning: 'the report file is empty' }],
    ['has a byte order mark', (file) => fs.writeFileSync(file, `\uFEFF${json}`), { report }],
    [
      'is huge',
      (file) => fs.writeFileSync(file, 'x'.repeat(2_000_000)),
      { report: '', warning: expect.stringContaining('2000000 bytes') },
    ],
    [
      'is a link',
      (file) => fs.symlinkSync('/etc/passwd', file),
      { report: '', warning: expect.stringContaining('no longer a plain file') },
    ],
    [
      'is a link to what never ends',
      (file) => fs.symlinkSync('/dev/zero', file),
      { report: '', warning: expect.any(String) },
    ],
    ['is a folder', (file) => fs.mkdirSync(file), { report: '', warning: expect.any(String) }],
  ])('%s', (_what, make, expected) => {
    const file = path.join(scratch(), 'agent-report.json');
    make(file);
    expect(reportFile(file)).toEqual(expected);
  });

  test('is a pipe that nobody fills', async () => {
    const { turn } = await sh('mkfifo "$DOCKET_REPORT"; echo done');
    expect(turn.warnings).toEqual([expect.stringContaining('was not read')]);
    expect(turn.structured).toBe('');
  });
});

describe('a command is refused', () => {
  const request: AgentRequest = {
    prompt: '',
    cwd: '/',
    dir: '/',
    permission: 'full',
    sandboxed: false,
    session: { kind: 'new' },
    env: {},
    about: { taskId: 'a', step: 'b', attempt: 1 },
    command: ['true'],
  };
  const host = {
    start: () => Promise.reject(new Error('it was started')),
    ask: () => Promise.resolve(''),
    now: () => 0,
  };
  const begin = async (wish: Partial<AgentRequest>): Promise<void> => {
    for await (const event of command.run({ ...request, ...wish }, host)) throw new Error(event.type);
  };

  test.each<[string, Partial<AgentRequest> & { command?: string[] }, string]>([
    ['without a program', { command: [] }, 'has no command'],
    ['to resume', { session: { kind: 'resume', id: 'x' } }, 'cannot resume x'],
    ['to fork', { session: { kind: 'fork', id: 'x' } }, 'cannot fork x'],
    ['to only read', { permission: 'read' }, 'cannot be held to "read"'],
    ['to only edit', { permission: 'edit' }, 'cannot be held to "edit"'],
  ])('%s', async (_what, wish, message) => {
    const error: unknown = await begin(wish).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(DocketError);
    expect(error).toMatchObject({ message: expect.stringContaining(message), fix: expect.any(String) });
  });

  test('but not where a sandbox holds it', async () => {
    await expect(begin({ permission: 'read', sandboxed: true })).rejects.toThrow('it was started');
  });
});
