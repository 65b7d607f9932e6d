import { isUtf8 } from 'node:buffer';
import type { Wrong } from '../../schema/problem.ts';

/** Bytes that we could not write back as they were, or that a power loss left: we do not touch such a file at all. */
export function spoiled(bytes: Buffer): Wrong | undefined {
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    const fix = 'restore it from version control; or delete it, and docket writes it as the journal knows it';
    return { message: 'zero bytes stand in the file', fix, line: lineAt(bytes, zero), column: 1 };
  }
  if (isUtf8(bytes)) return undefined;
  const fix = 'save it as UTF-8 (iconv -f latin1 -t utf-8)';
  const text = bytes.toString('utf8');
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length;
  return { message: 'the file is not valid UTF-8', fix, line, column: 1 };
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line += 1;
  return line;
}
