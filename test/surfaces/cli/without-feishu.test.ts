import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { appId } from '../../support/feishu-server.ts';
import { installDocket } from '../../support/installed-docket.ts';
import { scratch } from '../../support/scratch.ts';

interface Said {
  error?: { code: string; message: string; fix: string };
  findings?: { state: string; what: string; where?: string; command?: string }[];
}

const sdk = '@larksuiteoapi/node-sdk';

function start(docket: string, root: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'], HOME: root, FEISHU_APP_ID: appId, FEISHU_APP_SECRET: 'secret' };
  const { status, stdout } = spawnSync(process.execPath, [docket, ...args, '--json'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { status, said: JSON.parse(stdout) as Said };
}

describe('where the SDK of Feishu is not installed', () => {
  it.each([['serve', []] as const, ['--dry-run', ['--dry-run']] as const])(
    'docket chat feishu says how to install it, and starts and writes nothing: %s',
    (_name, options) => {
      const global = scratch();
      const docket = installDocket(global);
      const root = scratch();
      fs.mkdirSync(path.join(root, 'state'));
      const { status, said } = start(docket, root, 'chat', 'feishu', '--group', 'oc_1', ...options);
      expect([status, said.error?.code]).toEqual([3, 'NOT_FOUND']);
      expect(said.error?.message).toContain(sdk);
      expect(said.error?.message).toContain(path.join(global, 'node_modules/docket'));
      expect(said.error?.fix).toBe(`install it: npm install -g ${sdk}`);
      expect(fs.readdirSync(path.join(root, 'state'))).toEqual([]);
      expect(fs.existsSync(path.join(root, '.docket'))).toBe(false);
    },
  );

  it('names the project that docket is installed in, and is content once the package is there', () => {
    const root = scratch();
    fs.writeFileSync(path.join(root, 'package.json'), '{}');
    const docket = installDocket(root);
    const command = `npm install --prefix ${root} ${sdk}`;
    expect(start(docket, root, 'chat', 'feishu').said.error?.fix).toBe(`install it: ${command}`);
    const found = () =>
      start(docket, root, 'doctor').said.findings?.filter(({ what }) => what.includes(sdk)) ?? [];
    expect(found()).toMatchObject([{ state: 'warn', where: path.dirname(path.dirname(docket)), command }]);
    const there = path.resolve(import.meta.dirname, '../../../node_modules', sdk);
    fs.mkdirSync(path.join(root, 'node_modules', path.dirname(sdk)));
    fs.symlinkSync(there, path.join(root, 'node_modules', sdk));
    expect(found()).toEqual([]);
  });

  it('docket doctor says nothing of it where no Feishu is configured', () => {
    const root = scratch();
    const docket = installDocket(scratch());
    const { PATH } = process.env;
    const { stdout } = spawnSync(process.execPath, [docket, 'doctor', '--json'], {
      cwd: root,
      env: { PATH, HOME: root },
      encoding: 'utf8',
    });
    expect(stdout).toContain('"findings"');
    expect(stdout).not.toContain(sdk);
  });
});
