import { createHash } from 'node:crypto';

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
