import { isUtf8 } from 'node:buffer';
import { DocketError } from '../errors.ts';

/** Names what happened to a line as well as the bytes tell it, because the ways back differ. */
export function badLine(path: string, line: number, bytes: Buffer, offset = 0): DocketError {
  const { what, fix } = diagnose(bytes);
  const message = `${path}:${line}: ${what}`;
  return new DocketError('BAD_JOURNAL', message, fix, { path, line, offset });
}

const restore = 'nothing was changed; restore the file from a backup or version control';

function diagnose(bytes: Buffer): { what: string; fix: string } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return {
      what: 'the journal begins with a byte order mark, which an editor has added',
      fix: 'take the first three bytes off: tail -c +4 FILE > FILE.new, then move it back',
    };
  }
  if (bytes.at(-1) === 0x0d) {
    return {
      what: 'the line ends are CRLF; a tool has converted the journal',
      fix: "convert it back: sed -i 's/\\r$//' FILE, and keep it out of git's autocrlf",
    };
  }
  if (bytes.includes(0)) return { what: 'a block of zero bytes stands inside the journal', fix: restore };
  if (!isUtf8(bytes)) return { what: 'the line is not valid UTF-8', fix: restore };
  return { what: 'the line does not match its checksum, or an event before it is missing', fix: restore };
}

export function tooLong(path: string, line: number, atLeast: number): DocketError {
  return new DocketError(
    'BAD_JOURNAL',
    `${path}:${line}: the line is longer than ${atLeast} bytes; docket writes none over 64 KiB`,
    restore,
    { path, line },
  );
}

export function newerFormat(path: string, version: unknown): DocketError {
  const message = `${path} was written by a newer docket (format ${String(version)})`;
  return new DocketError('NEWER_FORMAT', message, 'update docket', { path });
}

export function replacedBy(path: string, seq: number, base: number): DocketError {
  const message = `${path} was replaced by a journal that starts after event ${base}; we had read up to ${seq}`;
  return new DocketError('BAD_JOURNAL', message, restore, { path, seq, base });
}
