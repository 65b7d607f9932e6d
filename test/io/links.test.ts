import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { realFolder } from '../../src/io/links.ts';
import { canMount } from '../night/night-shift.ts';
import { scratch } from '../support/scratch.ts';

describe('the real path of a folder', () => {
  it('has no links in it', () => {
    const folder = fs.realpathSync(scratch());
    fs.mkdirSync(path.join(folder, 'there'));
    fs.symlinkSync('there', path.join(folder, 'link'));
    expect(realFolder(path.join(folder, 'link'))).toBe(path.join(folder, 'there'));
    expect(() => realFolder(path.join(folder, 'nothing'))).toThrow(/cannot look at/);
  });

  it.runIf(canMount)('stays as it is where it leads into the file system of another process', async () => {
    const folder = fs.realpathSync(scratch());
    fs.mkdirSync(path.join(folder, 'same'));
    const script = 'mount -t tmpfs none "$0" && mkdir "$0/inside" "$0/same" && echo ready && exec cat';
    const child = spawn('unshare', ['--mount', 'sh', '-c', script, folder]);
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const seen = (name: string) => `/proc/${child.pid}/root${folder}/${name}`;
      expect(realFolder(seen('inside'))).toBe(seen('inside'));
      expect(realFolder(seen('same'))).toBe(seen('same'));
    } finally {
      child.kill('SIGKILL');
    }
  });
});
