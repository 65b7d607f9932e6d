import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The user whom root plays to meet files that belong to somebody else. */
export const nobody = { uid: 65_534, gid: 65_534 };

/** Only root can play another user, who must be able to read this checkout: not so below /root. */
export const canPlayNobody =
  process.getuid?.() === 0 && isOpenToAll(fileURLToPath(new URL('../../bin', import.meta.url)));

function isOpenToAll(dir: string): boolean {
  const parent = path.dirname(dir);
  return (fs.statSync(dir).mode & 0o005) === 0o005 && (parent === dir || isOpenToAll(parent));
}
