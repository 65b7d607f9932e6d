import { isUtf8 } from 'node:buffer';
import { DocketError } from '../errors.ts';
import { command, fix, type CommandLine, type Fix } from '../errors/command.ts';
import { shellWord } from '../errors/shell-word.ts';

/** Names what happened to a line as well as the bytes tell it, because the ways back differ. */
export function badLine(path: string, line: number, bytes: Buffer, offset = 0): DocketError {
  const { what, fix: todo } = diagnose(bytes, shellWord(path));
  const message = `${path}:${line}: ${what}`;
  return new DocketError('BAD_JOURNAL', message, todo, { path, line, offset });
}

const restore = fix`nothing was changed; restore the file from a backup or version control (${command`validate`} tells when it is whole), or accept what can be read of it: ${command`repair`}`;

/** A command that ends the sentence can be typed as it stands. */
function diagnose(bytes: Buffer, file: string): { what: string; fix: string | Fix } {
  if (bytes.length === 0) return { what: 'the line is empty, or the file is', fix: restore };
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return {
      what: 'the journal is UTF-16; an editor has converted it',
      fix: `convert it back to UTF-8: iconv -f utf-16 -t utf-8 ${file} > ${file}.new && mv ${file}.new ${file}`,
    };
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return {
      what: 'the journal begins with a byte order mark, which an editor has added',
      fix: `take the first three bytes off: tail -c +4 ${file} > ${file}.new && mv ${file}.new ${file}`,
    };
  }
  if (bytes.at(-1) === 0x0d) {
    return {
      what: 'the line ends are CRLF; a tool has converted the journal',
      fix: `keep it out of git's autocrlf, and convert it back: sed -i 's/\\r$//' ${file}`,
    };
  }
  if (bytes.includes(0)) return { what: 'a block of zero bytes stands inside the journal', fix: restore };
  if (!isUtf8(bytes)) return { what: 'the line is not valid UTF-8', fix: restore };
  return { what: 'the line does not match its checksum, or an event before it is missing', fix: restore };
}

export function tooLong(path: string, line: number, atLeast: number): DocketError {
  return new DocketError(
    'BAD_JOURNAL',
    `${path}:${line}: the line is longer than ${atLeast} bytes; docket writes none that long`,
    restore,
    { path, line },
  );
}

export function newerFormat(path: string, line: number, version: unknown): DocketError {
  const message = `${path}:${line}: written by a newer docket (format ${String(version)})`;
  return new DocketError(
    'NEWER_FORMAT',
    message,
    fix`update docket; "${command`version`}" shows which one this is`,
    {
      path,
      line,
    },
  );
}

/** An event that could not be taken in, with the place where it stands. */
export function located(error: unknown, path: string, line: number): unknown {
  if (!(error instanceof DocketError) || 'path' in error.data) return error;
  const { code, message, advice, data } = error;
  return new DocketError(
    code,
    `${path}:${line}: ${message}`,
    advice,
    { ...data, path, line },
    { cause: error },
  );
}

export function gone(path: string): DocketError {
  const message = `${path} is gone: somebody has deleted or moved it`;
  const fix = 'restore the journal from a backup; to start anew on purpose, move the whole folder away';
  return new DocketError('BAD_JOURNAL', message, fix, { path });
}

export function shrunk(path: string, from: number, to: number): DocketError {
  const message = `${path} was ${from} bytes long when we read it and has ${to} now`;
  return new DocketError('BAD_JOURNAL', message, restore, { path, from, to });
}

export function replacedBy(path: string, seq: number, base: number): DocketError {
  const message = `${path} was replaced by a journal that starts after event ${base}; we had read up to ${seq}`;
  return new DocketError('BAD_JOURNAL', message, restore, { path, seq, base });
}

/** Why a log is not the one that docket left: it lost its end, it is an older copy, or something in it was changed. */
export interface Loss {
  kind: 'shorter' | 'older' | 'changed';
  /** The last event that docket had acknowledged. */
  seq: number;
}

export function lostEvents(path: string, { kind, seq }: Loss, has: number, repair: CommandLine): DocketError {
  const missing = Math.max(0, seq - has);
  const what =
    missing > 0
      ? `${missing} of ${seq} events are missing at its end`
      : `it is not the file that docket wrote: a line before event ${seq} was changed, moved or taken out`;
  const message = `${path}: ${kind === 'older' ? 'an older copy; ' : ''}${what}`;
  const todo = fix`restore the file from a newer backup, or accept it as it is: ${repair}`;
  return new DocketError('BAD_JOURNAL', message, todo, { path, missing, seq, has });
}

export function lostArchive(folder: string, from: number, to: number, repair: CommandLine): DocketError {
  const which = from < to ? `events ${from} to ${to} are` : `event ${from} is`;
  const message = `${folder}: ${which} missing from the archived journals, and there is no snapshot that has them`;
  const todo = fix`restore the folder from a backup, or accept what can be read: ${repair}`;
  return new DocketError('BAD_JOURNAL', message, todo, { path: folder, from, to });
}
