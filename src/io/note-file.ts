import fs from 'node:fs';
import { around } from './fault.ts';
import { attempt } from './io-error.ts';
import { modeOfNew } from './private-files.ts';

const longestNote = 8192;

/** A short file of docket's own, kept open and overwritten in place without a flush. A checksum in it shows a torn one. */
export class NoteFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafeSlow(longestNote);

  constructor(file: string) {
    const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    this.#path = file;
    this.#fd = attempt('open', file, () =>
      fs.openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, modeOfNew(file)),
    );
  }

  /** Valid until the next read. */
  read(): Buffer {
    const length = attempt('read', this.#path, () => fs.readSync(this.#fd, this.#buffer, 0, longestNote, 0));
    return this.#buffer.subarray(0, length);
  }

  write(bytes: Buffer): void {
    attempt('write', this.#path, () =>
      around('write', this.#path, () => fs.writeSync(this.#fd, bytes, 0, bytes.length, 0)),
    );
  }

  close(): void {
    fs.closeSync(this.#fd);
  }
}
