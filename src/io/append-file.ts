import fs from 'node:fs';
import { around, aroundAsync } from './fault.ts';
import { assertFile } from './files.ts';
import { attempt, codeOf, ioError } from './io-error.ts';
import { FileWatch } from './watch.ts';

/** One open file that only grows, by whole appends, and is flushed apart from being written. */
export class AppendFile {
  readonly path: string;
  readonly ino: number;
  readonly #fd: number;
  #flushes = 0;
  #closing = false;

  private constructor(file: string, fd: number) {
    this.path = file;
    this.#fd = fd;
    this.ino = fs.fstatSync(fd).ino;
  }

  static open(file: string, access: 'read' | 'write'): AppendFile | undefined {
    const { O_RDONLY, O_RDWR, O_APPEND, O_NONBLOCK } = fs.constants;
    try {
      const flags = access === 'read' ? O_RDONLY : O_RDWR | O_APPEND;
      const opened = new AppendFile(file, fs.openSync(file, flags | O_NONBLOCK));
      assertFile(file, fs.fstatSync(opened.#fd));
      return opened;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw ioError(error, 'open', file);
    }
  }

  size(): number {
    return attempt('look at', this.path, () => fs.fstatSync(this.#fd).size);
  }

  /** Fewer bytes than asked for only at the end of the file. */
  read(into: Buffer, position: number): number {
    return attempt('read', this.path, () => fs.readSync(this.#fd, into, 0, into.length, position));
  }

  /** A full disk gives a short write first and the error at the next one: say how far it came. */
  append(bytes: Buffer): { written: number; error?: unknown } {
    let written = 0;
    try {
      while (written < bytes.length) {
        const from = written;
        written += around('write', this.path, () => fs.writeSync(this.#fd, bytes, from, bytes.length - from));
      }
    } catch (error) {
      return { written, error: ioError(error, 'append to', this.path) };
    }
    return { written };
  }

  truncate(size: number): void {
    attempt('cut', this.path, () => around('truncate', this.path, () => fs.ftruncateSync(this.#fd, size)));
  }

  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      aroundAsync('fsync', this.path, (done) => {
        this.#flushes += 1;
        fs.fdatasync(this.#fd, (error) => {
          this.#flushes -= 1;
          if (this.#closing) this.close();
          try {
            if (error) throw error;
            done();
            resolve();
          } catch (failure) {
            reject(ioError(failure, 'flush', this.path));
          }
        });
      });
    });
  }

  flushSync(): void {
    attempt('flush', this.path, () => around('fsync', this.path, () => fs.fdatasyncSync(this.#fd)));
  }

  /** A flush that is on its way keeps the number of the open file in use until it is over. */
  close(): void {
    this.#closing = true;
    if (this.#flushes === 0) fs.closeSync(this.#fd);
  }
}

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
