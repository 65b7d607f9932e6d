import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { around } from './fault.ts';
import { attempt } from './io-error.ts';

/** Only for what is ours and half made; nothing of a person's is ever under such a name. */
export function removeTree(dir: string): void {
  attempt('remove', dir, () => around('unlink', dir, () => fs.rmSync(dir, { recursive: true, force: true })));
}

export function renamePath(from: string, to: string): void {
  attempt('rename', to, () => around('rename', to, () => fs.renameSync(from, to)));
}

export function removeEmptyFolder(dir: string): void {
  if (fs.existsSync(dir) && fs.readdirSync(dir).length === 0) attempt('remove', dir, () => fs.rmdirSync(dir));
}

/** Stays the same while its files change, and when it is renamed; another one made in its place has another. */
export function bornAs(dir: string): string {
  const { ino, birthtimeNs } = attempt('look at', dir, () => fs.statSync(dir, { bigint: true }));
  return `${ino}.${birthtimeNs}`;
}

/** A new folder in the place for temporary files, by its real name. */
export function makeScratchFolder(prefix: string): string {
  return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), prefix)));
}

/** Copies what is in a folder. */
export function copyFolder(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true });
}
