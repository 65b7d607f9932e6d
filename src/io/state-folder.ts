import fs from 'node:fs';
import path from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The state folders that this process has asked for, under each of their names. */
const known = new Map<string, string>();

/** Where docket keeps what belongs to the user and to no project: DOCKET_STATE moves it. Undefined: nobody has a home. */
export function stateFolder(env: Env): string | undefined {
  const folder = folderFor(env);
  if (folder !== undefined && !known.has(folder)) known.set(folder, realName(folder));
  return folder;
}

/** All of them, links on their way followed or not: whoever writes there has asked for it first. */
export function knownStateFolders(): string[] {
  return [...known].flat();
}

function folderFor({ DOCKET_STATE: own, XDG_STATE_HOME: xdg, HOME: home }: Env): string | undefined {
  if (own) return path.resolve(own);
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'docket');
  return home ? path.join(home, '.local', 'state', 'docket') : undefined;
}

/** The last parts may not exist yet. */
function realName(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realName(parent), path.basename(folder));
  }
}
