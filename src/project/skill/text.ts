import { createHash } from 'node:crypto';
import path from 'node:path';
import { packageRoot } from '../../io/package-root.ts';
import { readTextFile } from '../../io/text-file.ts';

export const skillName = 'docket';
const longest = 256 * 1024;

/** The last line says what docket wrote: whoever changes the text above it makes it theirs. */
const sealed = /^<!-- docket skill sha256:([0-9a-f]{64}) -->$/;

/** As it is written, with the line that tells later whether somebody edited it. */
export function skillText(): string {
  const file = path.join(packageRoot(), 'skills', skillName, 'SKILL.md');
  const text = readTextFile(file, longest);
  if (text === undefined) throw new Error(`${file} is missing: docket is not installed whole`);
  const body = text.trimEnd();
  return `${body}\n\n<!-- docket skill sha256:${hash(body)} -->\n`;
}

/** Nobody has changed it since docket wrote it, be it another version's. Line ends may have been made others by git. */
export function isAsWritten(text: string): boolean {
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const seal = sealed.exec(lines.pop() ?? '')?.[1];
  return seal === hash(lines.join('\n').trimEnd());
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
