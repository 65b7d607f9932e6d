import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { openFileStore } from '../../src/store/file/file-store.ts';

/**
 * Power loss, as near as one machine comes to it: the store lives on a file system in an image. The image is copied
 * while the writer stands still, so the copy has what was sent to the disk and nothing that only memory knows.
 */
const count = 300;
const child = fileURLToPath(new URL('../bin/power-child.mjs', import.meta.url));
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

let dir: string;
const mounted: string[] = [];

function sh(command: string, ...args: string[]): void {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${result.stderr}`);
}

function mount(image: string): string {
  const at = fs.mkdtempSync(path.join(dir, 'mnt-'));
  sh('mount', '-o', 'loop', image, at);
  mounted.push(at);
  return at;
}

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-power-'));
});
afterEach(() => {
  for (const at of mounted.splice(0)) spawnSync('umount', ['-l', at]);
  fs.rmSync(dir, { recursive: true, force: true });
});

async function survivors(durability: 'durable' | 'relaxed'): Promise<number> {
  const image = path.join(dir, 'disk');
  sh('truncate', '-s', '64M', image);
  sh('mkfs.ext4', '-q', '-F', image);
  const root = mount(image);
  const writer = spawn(process.execPath, [child, root, durability, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(writer, 'exit');
  const copy = path.join(dir, 'copy');
  try {
    await Promise.race([
      once(writer.stdout, 'data'),
      gone.then(() => Promise.reject(new Error('the writer ended before it was done'))),
    ]);
    writer.kill('SIGSTOP');
    fs.copyFileSync(image, copy);
  } finally {
    writer.kill('SIGKILL');
    await gone;
  }
  const after = mount(copy);
  const store = await openFileStore({
    root: after,
    dir: path.join(after, '.docket/queue'),
    layout: queueLayout,
  });
  const tasks = await store.list();
  await store.close();
  return tasks.length;
}

describe.skipIf(!mayMount)('power loss (needs root on Linux, to mount an image)', () => {
  it('costs nothing that was acknowledged', async () => {
    expect(await survivors('durable')).toBe(count);
  });

  it('may cost the last second when durability is relaxed, so the test above can fail', async () => {
    expect(await survivors('relaxed')).toBeLessThan(count);
  });
});
