import { DocketError, type ErrorCode } from '../errors.ts';

const known: Record<string, { code: ErrorCode; what: string; fix: string }> = {
  ENOSPC: {
    code: 'DISK_FULL',
    what: 'the disk is full',
    fix: 'free some space (df -h shows where) and run the command again',
  },
  EDQUOT: {
    code: 'DISK_FULL',
    what: 'the disk quota is used up',
    fix: 'free some space (df -h shows where) and run the command again',
  },
  EACCES: {
    code: 'NO_ACCESS',
    what: 'permission denied',
    fix: 'look at its owner and mode (ls -ld), and give yourself access',
  },
  EPERM: {
    code: 'NO_ACCESS',
    what: 'not permitted',
    fix: 'look at its owner, mode and attributes (ls -ld, lsattr -d)',
  },
  EROFS: {
    code: 'NO_ACCESS',
    what: 'the file system is read-only',
    fix: 'use --root with a writable folder',
  },
  ENOTDIR: {
    code: 'BAD_FILE',
    what: 'a folder of the path is a file',
    fix: 'look which one it is (ls -ld), and move that file away',
  },
  EISDIR: {
    code: 'BAD_FILE',
    what: 'there is a folder where a file should be',
    fix: 'name a file, or look at what is there (ls -ld) and move that folder away',
  },
};

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** A system error as a person can use it: what we did, where, and what to do. */
export function ioError(error: unknown, action: string, path: string): DocketError {
  if (error instanceof DocketError) return error;
  const errno = codeOf(error) ?? 'unknown';
  const match = known[errno];
  const data = { path, errno, action };
  if (match)
    return new DocketError(match.code, `cannot ${action} ${path}: ${match.what}`, match.fix, data, {
      cause: error,
    });
  const text = error instanceof Error ? error.message : String(error);
  return new DocketError(
    'IO',
    `cannot ${action} ${path}: ${text}`,
    `look at it and try again: ls -ld ${path}`,
    data,
    {
      cause: error,
    },
  );
}

export function attempt<T>(action: string, path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw ioError(error, action, path);
  }
}
