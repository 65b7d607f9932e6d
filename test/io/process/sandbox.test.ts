import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProcessSpec } from '../../../src/io/process/process.ts';
import { sandboxed, type SandboxWish } from '../../../src/io/process/sandbox.ts';
import { startProcess } from '../../../src/io/process/start.ts';
import { TestRepository } from '../../support/repository.ts';
import { noSandbox } from '../../support/sandbox.ts';
import { scratch } from '../../support/scratch.ts';
import { env, leftovers, node, nothing, run, said, shell } from './support.ts';

interface Inside extends ProcessSpec {
  home: string;
}

/** Inside the sandbox, with a folder to work in and a home of which one part may be written. */
async function inside(script: string | readonly string[], wish: Partial<SandboxWish> = {}): Promise<Inside> {
  const cwd = scratch();
  const home = scratch();
  fs.mkdirSync(path.join(home, '.vendor'));
  const made = typeof script === 'string' ? shell(script) : node(script[0]!, script.slice(1));
  const spec = { ...made, cwd, env: { ...env, HOME: home }, graceMs: 300 };
  const argv = await sandboxed(spec.argv, {
    ...spec,
    root: cwd,
    readOnly: false,
    network: true,
    writable: [path.join(home, '.vendor'), path.join(home, '.not-there')],
    ...wish,
  });
  return { ...spec, argv, home };
}

const tries = `
try() { if echo x 2>/dev/null >"$1/written"; then echo "$2 yes"; else echo "$2 no"; fi; }
try . workspace; try "$HOME" home; try "$HOME/.vendor" vendor; try "$TMPDIR" temp; try /etc etc; try "$ATTEMPT" attempt`;

describe.skipIf(noSandbox)('inside bubblewrap', () => {
  test('only the workspace, the folders of its own and what is named can be written', async () => {
    const spec = await inside(tries);
    const { texts, exit } = await run({ ...spec, env: { ...spec.env, ATTEMPT: spec.dir } });
    expect(exit).toEqual({ code: 0 });
    expect(texts).toEqual(['workspace yes', 'home no', 'vendor yes', 'temp yes', 'etc no', 'attempt yes']);
    expect(fs.existsSync(path.join(spec.cwd, 'written'))).toBe(true);
  });

  test('what git obeys in a clone stays, also when the folder around it is moved; commits are made', async () => {
    const project = new TestRepository({ 'a.txt': 'a\n' });
    const library = new TestRepository({ 'in.txt': 'in\n' });
    project.git('submodule', '--quiet', 'add', library.root, 'lib');
    project.write('configs/servant/x', 'x');
    project.commit();
    const script = `
      move() { if mv "$1" "$1-old" 2>/dev/null; then echo "$1 moved"; else echo "$1 stays"; fi; }
      move configs; move .git; move .git/modules; move .git/modules/lib; move .git/hooks
      for at in . lib; do git -C $at config a.b c 2>/dev/null || echo "$at no setting"; done
      for at in lib .; do
        echo x > $at/new.txt; git -C $at add --all
        git -C $at -c user.name=x -c user.email=x@x commit --quiet -m more && echo "$at committed"
      done; git stash list; git gc --quiet && echo packed`;
    const confined = { root: scratch(), settings: [], paths: [], programs: [] };
    const { texts } = await run(await inside(script, { cwd: project.root, confined }));
    const stays = ['configs', '.git', '.git/modules', '.git/modules/lib', '.git/hooks'].map(
      (at) => `${at} stays`,
    );
    const rest = ['. no setting', 'lib no setting', 'lib committed', '. committed', 'packed'];
    expect(texts).toEqual([...stays, ...rest]);
    expect(project.git('log', '--format=%s', '-1')).toBe('more\n');
  });

  test('the workspace cannot be written when it is only looked at, also below a folder that can', async () => {
    const spec = await inside('echo x > written; cat file');
    fs.writeFileSync(path.join(spec.cwd, 'file'), 'content');
    const wish = {
      ...spec,
      root: spec.cwd,
      readOnly: true,
      network: true,
      writable: [path.dirname(spec.cwd)],
    };
    const argv = await sandboxed(['sh', '-c', 'echo x > written; cat file'], wish);
    const { texts } = await run({ ...spec, argv });
    expect(texts).toEqual(['content']);
    expect(fs.existsSync(path.join(spec.cwd, 'written'))).toBe(false);
  });

  test('the network is there, or not', async () => {
    const server = net.createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as net.AddressInfo;
    const script = `const s = require('net').connect(${port}, '127.0.0.1'); s.on('connect', () => { console.log('connected'); process.exit(); }); s.on('error', (e) => console.log(e.code))`;
    for (const [network, expected] of [
      [true, 'connected'],
      [false, 'ECONNREFUSED'],
    ] as const) {
      const spec = await inside('true');
      const wish = { ...spec, root: spec.cwd, readOnly: true, network, writable: [] };
      const argv = await sandboxed([process.execPath, '-e', script], wish);
      expect((await run({ ...spec, argv })).texts).toEqual([expected]);
    }
  });

  test('its code, its arguments and its stdin come through', async () => {
    const spec = await inside(['args.mjs', '$(x)', '', '--']);
    const { texts } = await run({ ...spec, stdin: { text: 'prompt' } });
    expect(JSON.parse(texts[0]!)).toMatchObject({
      args: ['$(x)', '', '--'],
      stdin: 'prompt',
      cwd: fs.realpathSync(spec.cwd),
    });
    expect((await run(await inside('exit 77'))).exit).toEqual({ code: 77 });
  });

  test('SIGTERM reaches the agent, and it has its grace', async () => {
    const spec = await inside(
      'trap "sleep 0.1; echo saved; exit 3" TERM; echo up; while :; do sleep 0.02; done',
    );
    const child = await startProcess({ ...spec, graceMs: 10_000 });
    await said(child, 'up');
    expect(await child.stop('canceled')).toMatchObject({ stopped: 'canceled' });
    expect(await said(child, 'sav')).toBe('ed');
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test.each(['leave', 'stay'])('a deaf process in a session of its own goes (%s)', async (verb) => {
    const spec = await inside(['stubborn.mjs', verb]);
    const child = await startProcess(spec);
    await said(child, 'port ');
    expect(leftovers(spec.mark).processes.length).toBeGreaterThan(1); // seen from outside, with their mark
    if (verb === 'stay') await child.stop('timeout');
    await child.exited;
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('a link in the place of our record is not followed', async () => {
    const spec = await inside('ln -s "$HOME/precious" "$ATTEMPT/exit.json"; exit 5');
    fs.writeFileSync(path.join(spec.home, 'precious'), 'mine');
    const { exit } = await run({ ...spec, env: { ...spec.env, ATTEMPT: spec.dir } });
    expect(fs.readFileSync(path.join(spec.home, 'precious'), 'utf8')).toBe('mine');
    expect(exit).toEqual({ code: 5 });
  });

  test('a program that is not there is said before the start', async () => {
    const spec = await inside('true');
    const wish = { ...spec, root: spec.cwd, readOnly: true, network: true, writable: [] };
    await expect(sandboxed(['no-such-program'], wish)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('without bubblewrap it is refused, with what to do', async () => {
  const PATH = process.env['PATH'];
  process.env['PATH'] = scratch();
  onTestFinished(() => void (process.env['PATH'] = PATH));
  const refusal = { code: 'REFUSED', fix: expect.stringContaining('install bubblewrap') as string };
  await expect(inside('true')).rejects.toMatchObject(refusal);
});

test('with a bubblewrap that does not work it is refused, with its own words', async () => {
  const PATH = process.env['PATH'];
  const bin = scratch();
  fs.writeFileSync(path.join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions" >&2\nexit 1\n', {
    mode: 0o755,
  });
  process.env['PATH'] = `${bin}:${PATH}`;
  onTestFinished(() => void (process.env['PATH'] = PATH));
  const refusal = { code: 'REFUSED', message: expect.stringContaining('No permissions') as string };
  await expect(inside('true')).rejects.toMatchObject(refusal);
});
