import fs from 'node:fs';
import path from 'node:path';
import { attempt } from './io-error.ts';

export interface Found {
  /** From the folder, with forward slashes. */
  path: string;
  kind: 'file' | 'folder' | 'link' | 'other';
}

/** All that lies below a folder, in one order everywhere. Links are told, never followed. */
export function* walk(folder: string, enter: (found: Found) => boolean, below = ''): Generator<Found> {
  const dir = path.join(folder, below);
  const entries = attempt('list', dir, () => fs.readdirSync(dir, { withFileTypes: true }));
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const found: Found = { path: below + entry.name, kind: kindOf(entry) };
    yield found;
    if (found.kind === 'folder' && enter(found)) yield* walk(folder, enter, `${found.path}/`);
  }
}

function kindOf(entry: fs.Dirent): Found['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
