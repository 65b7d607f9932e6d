import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Permission, SessionWish } from '../../../src/adapters/adapter.ts';
import { launch } from '../../../src/adapters/copilot/launch.ts';
import { put, request } from '../../support/request.ts';

const id = 'c2ee425f-20d6-4c4d-896b-b73cdc5e9489';
const other = '0cb916db-26aa-40f2-86b5-1ba81b225fd2';

describe('permission', () => {
  const grants = (permission: Permission, sandboxed = false) => {
    const { argv, env } = launch(request({ permission, sandboxed }));
    return {
      flags: argv.filter((word) => /^--(allow|deny|disallow)/.test(word)),
      all: env?.['COPILOT_ALLOW_ALL'],
    };
  };

  it.each([
    ['read', ['--deny-tool=write', '--deny-tool=shell', '--disallow-temp-dir']],
    ['edit', ['--allow-tool=write', '--deny-tool=shell', '--disallow-temp-dir']],
  ] as const)('%s, whatever the user’s variable says', (permission, flags) => {
    expect(grants(permission)).toEqual({ flags, all: 'false' });
  });

  it('full, or held by an outer sandbox', () => {
    expect(grants('full')).toEqual({ flags: ['--allow-all'], all: undefined });
    expect(grants('read', true)).toEqual({ flags: ['--allow-all'], all: undefined });
  });
});

it('works in the folder that it is given, and counts in the attempt’s own', () => {
  const asked = request({ session: { kind: 'new', id }, model: '--yolo' });
  const { argv, session, usageFile, stdin } = launch(asked);
  expect(argv.slice(argv.indexOf('-C'))).toEqual([
    '-C',
    asked.cwd,
    `--usage-output-file=${usageFile}`,
    `--session-id=${id}`,
  ]);
  expect(argv).toContain('--model=--yolo');
  expect(path.dirname(usageFile)).toBe(asked.dir);
  expect({ session, stdin }).toEqual({ session: id, stdin: { text: 'Do it.' } });
});

describe('session', () => {
  it('an id of our own stays the same when it is asked for again', () => {
    const asked = request();
    const { session } = launch(asked);
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
    expect(launch(asked).session).toBe(session);
  });

  it('a resume is no way to begin a new one', () => {
    expect(launch(request({ session: { kind: 'resume', id } })).argv.at(-1)).toBe(`--resume=${id}`);
  });

  it('a fork is a copy under another id, made once', () => {
    const asked = request({ session: { kind: 'fork', id, newId: other } });
    const sessions = path.join(asked.user, '.copilot/session-state');
    const events = put(path.join(sessions, id, 'events.jsonl'), `{"sessionId":"${id}"}\n`);
    put(path.join(sessions, id, 'workspace.yaml'), `id: ${id}\ncwd: /repo\n`);
    expect(launch(asked).argv.at(-1)).toBe(`--resume=${other}`);
    const copy = path.join(sessions, other, 'events.jsonl');
    expect(fs.readFileSync(copy, 'utf8')).toBe(`{"sessionId":"${other}"}\n`);
    expect(fs.readFileSync(path.join(sessions, other, 'workspace.yaml'), 'utf8')).toContain(`id: ${other}`);
    expect(fs.readFileSync(events, 'utf8')).toContain(id);
    // Asked for again, after a restart: what the agent added meanwhile stays.
    fs.appendFileSync(copy, '{}\n');
    launch(asked);
    expect(fs.readFileSync(copy, 'utf8')).toMatch(/\{\}\n$/);
    expect(fs.readdirSync(sessions).toSorted()).toEqual([other, id].toSorted());
  });

  it('says so when there is nothing to fork, or not in a shape that we know', () => {
    const asked = request({ session: { kind: 'fork', id, newId: other } });
    expect(() => launch(asked)).toThrow(/no session .* could be forked/);
    const sessions = path.join(asked.user, '.copilot/session-state');
    put(path.join(sessions, id, 'events.jsonl'), `{"sessionId":"${id}"}\n`);
    expect(() => launch(asked)).toThrow(/cannot fork/);
    expect(fs.readdirSync(sessions)).toEqual([id]);
  });

  it.each<SessionWish>([
    { kind: 'resume', id: '--yolo' },
    { kind: 'resume', id: 'my feature' },
    { kind: 'fork', id: '../../..' },
    { kind: 'fork', id, newId: '../x' },
    { kind: 'new', id: '' },
  ])('refuses a hostile id: %j', (session) => {
    expect(() => launch(request({ session }))).toThrow(/is not the id of a session of copilot/);
  });
});

it("a worker's own home has the user's login by a link", () => {
  const asked = request();
  const file = put(path.join(asked.user, '.copilot/config.json'), 'secret');
  const home = path.join(asked.root, 'worker');
  expect(launch({ ...asked, home }).env).toMatchObject({ COPILOT_HOME: home });
  expect(fs.readlinkSync(path.join(home, 'config.json'))).toBe(file);
});
