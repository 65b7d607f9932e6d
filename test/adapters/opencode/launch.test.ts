import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Permission, SessionWish } from '../../../src/adapters/adapter.ts';
import { launch } from '../../../src/adapters/opencode/launch.ts';
import { opencode } from '../../../src/adapters/opencode/vendor.ts';
import { put, request } from '../../support/request.ts';

const id = 'ses_e1dec71a6ffemjMddC9UbAcMVi';
const settings = (asked: ReturnType<typeof request>) =>
  JSON.parse(launch(asked).env?.['OPENCODE_CONFIG_CONTENT'] ?? 'null') as Record<string, unknown> | null;

describe('permission', () => {
  const rules = (permission: Permission, sandboxed = false) => {
    const asked = request({ permission, sandboxed });
    const agent = settings(asked)?.['agent'] as
      | { docket: { permission: Record<string, string> } }
      | undefined;
    return { rules: agent?.docket.permission, named: launch(asked).argv.includes('--agent=docket') };
  };

  it('read and edit: an agent of our own, all but what is named is denied, and the star comes first', () => {
    for (const permission of ['read', 'edit'] as const) {
      const held = rules(permission);
      expect(held.named).toBe(true);
      expect(Object.entries(held.rules ?? {})[0]).toEqual(['*', 'deny']);
      expect(held.rules).toMatchObject({
        bash: 'deny',
        task: 'deny',
        external_directory: 'deny',
        read: 'allow',
      });
    }
    expect(rules('read').rules?.['edit']).toBe('deny');
    expect(rules('edit').rules?.['edit']).toBe('allow');
  });

  it('full, or held by an outer sandbox', () => {
    expect(rules('full')).toEqual({ rules: undefined, named: false });
    expect(rules('read', true)).toEqual({ rules: undefined, named: false });
  });

  it('keeps what the user has in the same variable, and overrules an agent of that name', () => {
    const theirs = {
      model: 'a/b',
      permission: { bash: 'allow' },
      agent: { mine: { mode: 'primary' }, docket: { permission: { bash: 'allow' } } },
    };
    const all = settings(request({ env: { OPENCODE_CONFIG_CONTENT: `${JSON.stringify(theirs)} // mine` } }));
    expect(all).toMatchObject({
      model: 'a/b',
      permission: { bash: 'allow' },
      agent: { mine: { mode: 'primary' }, docket: { permission: { bash: 'deny' } } },
    });
  });

  it('says so when it cannot read that variable', () => {
    expect(() => launch(request({ env: { OPENCODE_CONFIG_CONTENT: '{' } }))).toThrow(
      /OPENCODE_CONFIG_CONTENT/,
    );
  });
});

describe('command line', () => {
  it('a new session', () => {
    const asked = request({ model: 'a/b' });
    const { argv, env, stdin } = launch(asked);
    const expected = [
      'run',
      '--format=json',
      `--dir=${asked.cwd}`,
      '--auto',
      '--agent=docket',
      '--model=a/b',
      '--title=t-1 work',
    ];
    expect(argv).toEqual(['opencode', ...expected]);
    expect(env?.['PWD']).toBe(asked.cwd);
    expect(stdin).toEqual({ text: 'Do it.' });
  });

  it('resume and fork', () => {
    const words = (kind: 'resume' | 'fork') => launch(request({ session: { kind, id } })).argv;
    expect(words('resume').at(-1)).toBe(`--session=${id}`);
    expect(words('fork').slice(-2)).toEqual([`--session=${id}`, '--fork']);
  });

  it.each<SessionWish>([
    { kind: 'resume', id: '--auto' },
    { kind: 'resume', id: '' },
    { kind: 'fork', id: 'ses_../x' },
  ])('refuses a hostile id: %j', (session) => {
    expect(() => launch(request({ session }))).toThrow(/is not the id of a session of opencode/);
  });
});

describe('home', () => {
  it("a worker's own has the user's login by a link", () => {
    const asked = request();
    const file = put(path.join(asked.user, '.local/share/opencode/auth.json'), 'secret');
    const home = path.join(asked.root, 'worker');
    expect(launch({ ...asked, home }).env).toMatchObject({
      XDG_DATA_HOME: path.join(home, 'data'),
      XDG_CONFIG_HOME: path.join(home, 'config'),
    });
    expect(fs.readlinkSync(path.join(home, 'data/opencode/auth.json'))).toBe(file);
    expect(opencode.writable({ env: asked.env, home })).toContain(file);
  });

  it('a first start inside a sandbox finds its folders made', () => {
    const asked = request({ sandboxed: true });
    launch(asked);
    for (const dir of opencode.writable(asked)) expect(fs.statSync(dir).isDirectory()).toBe(true);
  });

  it('login: a file says yes, nothing says no', () => {
    const { user, env } = request();
    expect(opencode.login({ env })).toBe('unknown');
    put(path.join(user, '.local/share/opencode/auth.json'));
    expect(opencode.login({ env })).toBe('yes');
    expect(opencode.login({ env, home: '/worker' })).toBe('yes');
    expect(opencode.login({ env: { ...env, XDG_DATA_HOME: '/nowhere' } })).toBe('unknown');
  });
});
