import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Exit, ProcessSpec } from '../../../src/io/process/process.ts';
import { ended, start } from '../../support/child.ts';
import { canPlayNobody, nobody } from '../../support/other-user.ts';
import { noSandbox } from '../../support/sandbox.ts';
import { agent, leftovers, nothing, shell } from './support.ts';

/** A process may make mounts of its own that nobody else sees, and that go when it ends. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

interface Said {
  texts: string[];
  exit?: Exit;
  stderr?: string;
  error?: { name: string; code: string; message: string; fix: string };
}

async function said(child: ReturnType<typeof start>): Promise<Said> {
  return JSON.parse((await ended(child)).out) as Said;
}

/** In a folder of 1 MB. */
function onSmallDisk(spec: ProcessSpec): Promise<Said> {
  const script = `mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"`;
  const command = [process.execPath, agent('one.mjs'), JSON.stringify({ ...spec, cwd: '/' })];
  return said(start('unshare', ['-m', 'sh', '-c', script, 'sh', spec.dir, ...command]));
}

describe.runIf(canMount)('a full disk', () => {
  test('no place for the prompt: it is not started', async () => {
    const spec = shell('echo up', { stdin: { text: 'x'.repeat(90_000) } });
    const script = `dd if=/dev/zero of="$1/ballast" bs=1k count=1000 2>/dev/null`;
    const command = [process.execPath, agent('one.mjs'), JSON.stringify({ ...spec, cwd: '/' })];
    const mount = `mount -t tmpfs -o size=1m none "$1" && ${script}; shift; exec "$@"`;
    const { error, exit } = await said(
      start('unshare', ['-m', 'sh', '-c', mount, 'sh', spec.dir, ...command]),
    );
    expect(error).toMatchObject({ name: 'DocketError', code: 'DISK_FULL' });
    expect(exit).toBeUndefined();
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('it fills up while the agent writes: the code is known, and that output may be missing', async () => {
    const spec = shell('head -c 3000000 /dev/zero | tr "\\0" "x"; exit 3');
    const { error, exit, texts } = await onSmallDisk(spec);
    expect(exit).toEqual({ code: 3 });
    expect(texts[0]).toMatch(/^x+$/);
    expect(error).toMatchObject({ name: 'DocketError', code: 'DISK_FULL' });
    expect(leftovers(spec.mark)).toEqual(nothing);
  });
});

describe.runIf(canPlayNobody)('as another user', () => {
  function forNobody(spec: ProcessSpec): ProcessSpec {
    const root = path.dirname(spec.dir);
    fs.chmodSync(root, 0o755);
    fs.chownSync(spec.dir, nobody.uid, nobody.gid);
    return spec;
  }

  function asNobody(spec: object): Promise<Said> {
    return said(start(process.execPath, [agent('one.mjs'), JSON.stringify(spec)], nobody));
  }

  test('what left the group is found, and what is read-only in the temp folder goes', async () => {
    const script = `mkdir -p "$TMPDIR/a/b"; touch "$TMPDIR/a/b/c"; chmod -R a-w "$TMPDIR/a"; setsid sleep 100 & id -u`;
    const spec = forNobody(shell(script));
    const { texts, exit, error } = await asNobody(spec);
    expect([texts, exit, error]).toEqual([['65534'], { code: 0 }, undefined]);
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('a folder that it may not write to is said before the start', async () => {
    const spec = forNobody(shell('echo up'));
    fs.chownSync(spec.dir, 0, 0);
    expect((await asNobody(spec)).error).toMatchObject({ name: 'DocketError', code: 'NO_ACCESS' });
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test.skipIf(noSandbox)('inside bubblewrap', async () => {
    const script = `echo x > "$TMPDIR/x" && echo temp; echo x > y || echo read-only; setsid sleep 100 & exit 4`;
    const spec = forNobody(shell(script));
    const sandbox = { cwd: '/usr', root: '/usr', readOnly: true, network: false, writable: [] };
    const { texts, exit } = await asNobody({ ...spec, cwd: '/usr', sandbox });
    expect([texts, exit]).toEqual([['temp', 'read-only'], { code: 4 }]);
    expect(leftovers(spec.mark)).toEqual(nothing);
  });
});
