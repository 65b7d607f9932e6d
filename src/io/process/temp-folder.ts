import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { attempt, codeOf } from '../io-error.ts';
import { checkMark } from './mark.ts';

/** Short on purpose: a socket's path may have 107 bytes. */
export function tempFolderOf(mark: string): string {
  return path.join(os.tmpdir(), `docket-${checkMark(mark)}`);
}

/** Fails when something has that name: in a folder that everybody can write to it could be somebody's trap. */
export function makeTempFolder(mark: string): string {
  const dir = tempFolderOf(mark);
  attempt('create the folder', dir, () => fs.mkdirSync(dir, { mode: 0o700 }));
  return dir;
}

/**
 * Removes it with all it holds, also what agents made read-only (package caches are). What belongs to somebody else
 * stays: a container's root may have written there, and that is no reason to fail an attempt.
 */
export async function removeTempFolder(dir: string): Promise<void> {
  try {
    fs.rmdirSync(dir); // nothing in it, most of the time
    return;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return;
  }
  try {
    await fs.promises.rm(dir, { recursive: true, force: true });
  } catch {
    await openUp(dir);
    await fs.promises.rm(dir, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
  }
}

/** The folder of an attempt that an earlier docket began. Its record may have been tampered with: it must be that name. */
export function isTempFolderOf(mark: string, dir: unknown): dir is string {
  return typeof dir === 'string' && path.isAbsolute(dir) && path.basename(dir) === `docket-${mark}`;
}

async function openUp(dir: string): Promise<void> {
  try {
    await fs.promises.chmod(dir, 0o700);
    for (const entry of await fs.promises.readdir(dir, { withFileTypes: true }))
      if (entry.isDirectory()) await openUp(path.join(dir, entry.name));
  } catch {
    // Not ours. Removing says so, or does not mind.
  }
}
