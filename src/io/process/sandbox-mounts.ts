import fs from 'node:fs';
import path from 'node:path';

/** A place in a sandbox: the real one, writable or not, nothing at all, or an empty file in its stead. */
export type Mount =
  | { kind: '--bind' | '--bind-try' | '--ro-bind' | '--ro-bind-try' | '--tmpfs'; path: string }
  | { kind: 'empty'; path: string };

/** Folders before what is inside them: the innermost says what may be done there, of equals the last. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const depth = (mount: Mount): number => mount.path.split('/').filter(Boolean).length;
  return mounts.toSorted((a, b) => depth(a) - depth(b));
}

/** `nothing`: an empty file. */
export function mountOf({ kind, path: at }: Mount, nothing = ''): string[] {
  if (kind === 'empty') return ['--ro-bind', nothing, at];
  return kind === '--tmpfs' ? [kind, at] : [kind, at, at];
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
