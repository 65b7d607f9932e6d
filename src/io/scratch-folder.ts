import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A new folder in the place for temporary files, by its real name. */
export function makeScratchFolder(prefix: string): string {
  return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), prefix)));
}

/** Copies what is in a folder. */
export function copyFolder(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true });
}
