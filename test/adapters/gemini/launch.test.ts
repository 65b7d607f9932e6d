import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Permission, SessionWish } from '../../../src/adapters/adapter.ts';
import { launch } from '../../../src/adapters/gemini/launch.ts';
import { put, request } from '../../support/request.ts';

const id = '7a81c23a-d360-4da4-96c1-3e0358797d7e';

function transcript(state: string, folder: string, sessionId = id): string {
  put(path.join(state, 'tmp', 'p', '.project_root'), folder);
  const first = JSON.stringify({ sessionId, kind: 'main' });
  return put(
    path.join(state, 'tmp/p/chats', `session-2026-01-01T00-00-${sessionId.slice(0, 8)}.jsonl`),
    `${first}\n`,
  );
}

describe('permission', () => {
  const flags = (permission: Permission, sandboxed = false) => {
    const asked = request({ permission, sandboxed });
    const { argv } = launch(asked);
    const file = path.join(asked.dir, 'gemini-policy.toml');
    return {
      mode: argv.find((word) => word.startsWith('--approval-mode')),
      policy: argv.includes(`--admin-policy=${file}`) ? fs.readFileSync(file, 'utf8') : undefined,
    };
  };

  it('read: nothing but looking', () => {
    const { mode, policy } = flags('read');
    expect(mode).toBe('--approval-mode=default');
    expect(policy).toMatch(/toolName = "\*"\ndecision = "deny"/);
    expect(policy).not.toMatch(/write_file|replace|run_shell_command|invoke_agent/);
  });

  it('edit: no shell, and no way into the mode that allows all', () => {
    const { mode, policy } = flags('edit');
    expect(mode).toBe('--approval-mode=auto_edit');
    expect(policy).toMatch(/"run_shell_command", "enter_plan_mode", "exit_plan_mode"/);
  });

  it('full, or held by an outer sandbox', () => {
    const open = { mode: '--approval-mode=yolo', policy: undefined };
    expect(flags('full')).toEqual(open);
    expect(flags('read', true)).toEqual(open);
  });
});

describe('approval mode and sandbox', () => {
  const mode = (permission: Permission, approvalMode: string) =>
    launch(request({ permission, approvalMode })).argv.find((word) => word.startsWith('--approval-mode='));

  it('are those that were asked for, but never beyond the permission', () => {
    expect(mode('edit', 'default')).toBe('--approval-mode=default');
    expect(mode('full', 'auto_edit')).toBe('--approval-mode=auto_edit');
    expect(mode('edit', 'yolo')).toBe('--approval-mode=auto_edit');
    expect(mode('read', 'yolo')).toBe('--approval-mode=default');
    expect(mode('edit', 'constructor')).toBe('--approval-mode=auto_edit');
    expect(launch(request({ ownSandbox: true })).argv).toContain('--sandbox');
    expect(launch(request({ ownSandbox: false })).argv).not.toContain('--sandbox');
  });
});

describe('session', () => {
  const flag = (asked: ReturnType<typeof request>) => launch(asked).argv.at(-1);

  it('a new one has our id, or one that stays the same when it is asked for again', () => {
    expect(flag(request({ session: { kind: 'new', id } }))).toBe(`--session-id=${id}`);
    const asked = request();
    const first = flag(asked);
    expect(first).toMatch(/^--session-id=[0-9a-f-]{36}$/);
    expect(flag(asked)).toBe(first);
  });

  it('resumes where it began, and from a copy elsewhere', () => {
    const asked = request({ session: { kind: 'resume', id } });
    expect(flag(asked)).toBe(`--resume=${id}`);
    transcript(path.join(asked.user, '.gemini'), asked.cwd);
    expect(flag(asked)).toBe(`--resume=${id}`);
    put(path.join(asked.user, '.gemini/tmp/p/.project_root'), '/elsewhere');
    expect(flag(asked)).toBe(`--session-file=${path.join(asked.dir, 'gemini-session.jsonl')}`);
  });

  it('forks from a copy, the right one of two that begin alike', () => {
    const asked = request({ session: { kind: 'fork', id } });
    const state = path.join(asked.user, '.gemini');
    put(
      path.join(state, 'tmp/q/chats', `session-1-${id.slice(0, 8)}.jsonl`),
      `{"sessionId":"${id.slice(0, 8)}-0000"}\n${'x'.repeat(999)}`,
    );
    const file = transcript(state, asked.cwd);
    flag(asked);
    expect(fs.readFileSync(path.join(asked.dir, 'gemini-session.jsonl'))).toEqual(fs.readFileSync(file));
  });

  it('a fork of what is not there says so', () => {
    expect(() => launch(request({ session: { kind: 'fork', id } }))).toThrow(/no transcript/);
  });

  it.each<SessionWish>([
    { kind: 'resume', id: '--yolo' },
    { kind: 'resume', id: 'latest' },
    { kind: 'fork', id: '../../../etc/passwd' },
    { kind: 'new', id: '' },
  ])('refuses a hostile id: %j', (session) => {
    expect(() => launch(request({ session }))).toThrow(/is not the id of a session of gemini/);
  });
});

describe('home', () => {
  const settings = (home: string) =>
    JSON.parse(fs.readFileSync(path.join(home, '.gemini/settings.json'), 'utf8')) as Record<string, unknown>;
  const view = (asked: ReturnType<typeof request>) => launch(asked).env?.['GEMINI_CLI_HOME'] ?? '';

  it("sees the user's through links, with settings of its own that the user's file has no part in", () => {
    const asked = request();
    const theirs =
      '{ // mine\n "general": {"vimMode": true, "sessionRetention": {"enabled": true,}}, "mcpServers": {"a": {"url": "http://x//y"}}}';
    const file = put(path.join(asked.user, '.gemini/settings.json'), theirs);
    put(path.join(asked.user, '.gemini/oauth_creds.json'), 'secret');
    const home = view(asked);
    expect(settings(home)).toMatchObject({
      general: { vimMode: true, maxAttempts: 3, sessionRetention: { enabled: false } },
      mcpServers: { a: { url: 'http://x//y' } },
    });
    expect(fs.statSync(path.join(home, '.gemini/settings.json')).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).toBe(theirs);
    for (const name of ['tmp', 'history', 'oauth_creds.json'])
      expect(fs.readlinkSync(path.join(home, '.gemini', name))).toBe(path.join(asked.user, '.gemini', name));
  });

  it("a worker's own has the user's login by a link, and the way it is used", () => {
    const asked = request();
    put(path.join(asked.user, '.gemini/oauth_creds.json'), 'secret');
    put(
      path.join(asked.user, '.gemini/settings.json'),
      '{"security":{"auth":{"selectedType":"oauth-personal"}},"ui":{}}',
    );
    const own = path.join(asked.root, 'worker');
    const home = view({ ...asked, home: own });
    expect(fs.readlinkSync(path.join(own, '.gemini/oauth_creds.json'))).toBe(
      path.join(asked.user, '.gemini/oauth_creds.json'),
    );
    expect(fs.existsSync(path.join(own, '.gemini/settings.json'))).toBe(false);
    expect(settings(home)).toMatchObject({ security: { auth: { selectedType: 'oauth-personal' } } });
    expect(settings(home)).not.toHaveProperty('ui');
  });

  it('names broken settings instead of replacing them', () => {
    const asked = request();
    put(path.join(asked.user, '.gemini/settings.json'), '{');
    expect(() => launch(asked)).toThrow(/settings\.json are not JSON/);
  });
});

it('a prompt that looks like a command stays a prompt', () => {
  expect(launch(request({ prompt: '/quit' })).stdin).toEqual({ text: 'The task:\n\n/quit' });
  expect(launch(request({ prompt: 'Go /quit' })).stdin).toEqual({ text: 'Go /quit' });
});

it('a model name cannot become a flag, and there always is one', () => {
  expect(launch(request({ model: '--yolo' })).argv).toContain('--model=--yolo');
  expect(launch(request()).argv.some((word) => /^--model=.+/.test(word))).toBe(true);
});
