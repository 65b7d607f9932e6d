import fs from 'node:fs';
import path from 'node:path';

/**
 * A place in a sandbox: the real one, writable or not, a new folder, or nothing in its stead: an empty file, or a folder
 * that stays empty but for what else is mounted in it.
 */
export type Mount =
  | { kind: '--bind' | '--bind-try' | '--ro-bind' | '--ro-bind-try' | '--tmpfs'; path: string }
  | { kind: 'empty' | 'empty folder'; path: string };

/** Folders before what is inside them: the innermost says what may be done there, of equals the last. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const depth = (mount: Mount): number => mount.path.split('/').filter(Boolean).length;
  return mounts.toSorted((a, b) => depth(a) - depth(b));
}

/** `nothing`: an empty file. */
export function mountOf({ kind, path: at }: Mount, nothing = ''): string[] {
  if (kind === 'empty') return ['--ro-bind', nothing, at];
  if (kind === '--tmpfs' || kind === 'empty folder') return ['--tmpfs', at];
  return [kind, at, at];
}

/** Behind all mounts, because those inside of it need their places. */
export function closing(mounts: readonly Mount[]): string[] {
  return mounts.flatMap(({ kind, path: at }) => (kind === 'empty folder' ? ['--remount-ro', at] : []));
}

/** Mounts go to where a link leads; the link itself is in the sandbox too. */
export function real(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}

export function isBelow(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder === '/' ? '/' : `${folder}/`);
}

export function isFolder(at: string): boolean {
  return fs.statSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
