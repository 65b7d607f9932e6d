/**
 * Every call that changes the disk, or starts an agent, passes here, so that a test can be killed, or made to fail,
 * before and after each of them without listing them by hand. Without a probe it costs one comparison.
 */
export type Call = 'open' | 'write' | 'fsync' | 'rename' | 'link' | 'unlink' | 'truncate' | 'mkdir' | 'spawn';
export type Probe = (moment: 'before' | 'after', call: Call, path: string) => void;

let probe: Probe | undefined;

export function setProbe(next: Probe | undefined): void {
  probe = next;
}

export function around<T>(call: Call, path: string, run: () => T): T {
  if (probe === undefined) return run();
  probe('before', call, path);
  const result = run();
  probe('after', call, path);
  return result;
}

/** The same for a call that answers later. */
export function aroundAsync(call: Call, path: string, run: (done: () => void) => void): void {
  probe?.('before', call, path);
  run(() => probe?.('after', call, path));
}
