import { AppendFile } from './append-file.ts';
import { FileWatch } from './watch.ts';

const chunkBytes = 1024 * 1024;

/** The complete lines of a file that only grows, then those that are added to it, until the signal. */
export async function* followLines(file: string, signal: AbortSignal): AsyncGenerator<string> {
  const watch = new FileWatch(file);
  const opened = AppendFile.open(file, 'read');
  if (!opened) return watch.close();
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let rest = Buffer.alloc(0);
  try {
    for (let at = 0; !signal.aborted;) {
      const length = opened.read(chunk, at);
      at += length;
      if (length === 0) {
        await watch.changed(signal);
        continue;
      }
      rest = Buffer.concat([rest, chunk.subarray(0, length)]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield rest.toString('utf8', 0, end);
        if (signal.aborted) return;
        rest = rest.subarray(end + 1);
      }
    }
  } finally {
    watch.close();
    opened.close();
  }
}
