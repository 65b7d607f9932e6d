import { createHash, randomBytes } from 'node:crypto';
import { DocketError } from '../../errors.ts';

/** The variable that every descendant of an attempt carries, wherever it runs off to. */
export const markVariable = 'DOCKET_MARK';

/** A mark names a folder that we delete and processes that we end: it must be nothing but a mark. */
export function checkMark(mark: string): string {
  if (/^[a-z0-9][a-z0-9-]{5,39}$/.test(mark)) return mark;
  throw new DocketError(
    'INVALID',
    `${JSON.stringify(mark)} is not a mark of an attempt`,
    'make one with newMark()',
    {
      mark,
    },
  );
}

/** Short, because it is part of a folder's name in which agents make sockets; unique; safe as a file name. */
export function newMark(): string {
  return randomBytes(8).readBigUInt64BE().toString(36).padStart(13, '0');
}

/**
 * The mark once more, where no child can lose it by accident: in a limit of the kernel. A process that clears its
 * environment, leaves the group and is orphaned still has its limits. This one (of the resident set) has had no effect
 * since Linux 2.4, and no machine has as much memory as its value says.
 */
const base = 2n ** 62n;
const kilobyte = 1024n;

const known = new Map<string, string>();
const mostKnown = 1000;

/** In bytes, as the kernel tells it. */
export function limitFor(mark: string): string {
  let limit = known.get(mark);
  if (limit === undefined) {
    if (known.size >= mostKnown) known.clear();
    const bits = createHash('sha256').update(mark).digest().readUIntBE(0, 6);
    limit = String(base + BigInt(bits) * kilobyte);
    known.set(mark, limit);
  }
  return limit;
}

/** What the shell's `ulimit -m` takes; nothing where the kernel tells nobody. */
export function limitArgument(mark: string): string {
  return process.platform === 'linux' ? String(BigInt(limitFor(mark)) / kilobyte) : '';
}

/** The limit in a process's list of limits, if it is one of ours. */
export function limitIn(text: string): string | undefined {
  const found = /^Max resident set +(\d+)/m.exec(text)?.[1];
  return found !== undefined && BigInt(found) >= base && BigInt(found) < base * 2n ? found : undefined;
}
