const maxPathBytes = 1024;
const maxNameBytes = 255;

/** Control characters, and what Windows takes for a separator. */
const forbidden = /[\p{Cc}\\]/u;

/**
 * Judges the paths of an archive one after the other: undefined, or what is wrong with this one. Packing and unpacking
 * ask the same judge, so what docket packs on one system can be unpacked on every other.
 */
export function nameJudge(maxNames: number): (name: string, kind: 'file' | 'folder') => string | undefined {
  const seen = new Map<string, { name: string; kind: 'file' | 'folder' }>();

  const take = (name: string, kind: 'file' | 'folder', implied: boolean): string | undefined => {
    const key = name.normalize('NFC').toLowerCase();
    const before = seen.get(key);
    if (before === undefined) {
      seen.set(key, { name, kind });
      return seen.size > maxNames ? `is one of more than ${maxNames} names` : undefined;
    }
    const isSameFolder = before.name === name && before.kind === 'folder' && kind === 'folder';
    if (isSameFolder) return undefined;
    return implied && before.kind === 'file'
      ? 'lies below a name that is a file'
      : 'has a name that was there before, perhaps in other letters';
  };

  return (name, kind) => {
    const problem = wrongPath(name);
    if (problem !== undefined) return problem;
    for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
      const above = take(name.slice(0, at), 'folder', true);
      if (above !== undefined) return above;
    }
    return take(name, kind, false);
  };
}

function wrongPath(name: string): string | undefined {
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'is an absolute path';
  if (forbidden.test(name)) return 'has a backslash or a control character in its name';
  if (Buffer.byteLength(name) > maxPathBytes) return `has a path of more than ${maxPathBytes} bytes`;
  for (const part of name.split('/')) {
    if (part === '' || part === '.' || part === '..')
      return `has "${part}" as a part of its path, which may lead elsewhere`;
    if (/[. ]$/.test(part)) return 'has a name that ends in a dot or a space';
    if (Buffer.byteLength(part) > maxNameBytes) return `has a name of more than ${maxNameBytes} bytes`;
  }
  return undefined;
}

/** How much an archive may hold: a small file can unpack to more than a disk. */
export interface Limits {
  /** Names of files and folders. */
  files: number;
  /** Bytes of the archive once unpacked. */
  bytes: number;
}

export const defaultLimits: Limits = { files: 100_000, bytes: 2 * 1024 ** 3 };
