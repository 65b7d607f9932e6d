import { createHash } from 'node:crypto';
import { digest, needsDigest, type DigestPolicy } from '../../../render/digest.ts';
import { trimLog } from '../../../render/trim-log.ts';

export interface Attached {
  name: string;
  text: string;
}

interface PromptParts {
  shared: string;
  role: string;
  /** What every stage is held to (`renderTask`). */
  task: string;
  context: string;
  request: string;
  attachments: readonly Attached[];
  digest: DigestPolicy;
}

export interface Composed {
  prompt: string;
  sha256: string;
  /** What stands in for the context pack, when it does. */
  digest?: string;
}

/** The parts are redacted already. The same parts give the same prompt, in whatever order the attachments come. */
export function compose({
  shared,
  role,
  task,
  context,
  request,
  attachments,
  ...rest
}: PromptParts): Composed {
  const short = needsDigest(rest.digest, Buffer.byteLength(context)) ? digest(context) : undefined;
  const prompt = [
    `${content(shared)}\n--- END SHARED RULES ---\n`,
    part('ROLE TEMPLATE', role),
    part('TASK', task),
    part('CONTEXT PACK', short ?? context),
    part('USER REQUEST', request),
    ...attachments.toSorted(byName).map(({ name, text }) => {
      return part(`ATTACHMENT: ${oneLine(name)}`, isLog(name) ? trimLog(text) : text);
    }),
  ].join('\n');
  const sha256 = createHash('sha256').update(prompt).digest('hex');
  return { prompt, sha256, ...(short !== undefined && { digest: short }) };
}

function part(name: string, text: string): string {
  return `--- BEGIN ${name} ---\n${content(text)}\n--- END ${name} ---\n`;
}

const marker = String.raw`\\*[^\S\r\n]*-{3,}[^\S\r\n]*(?:BEGIN|END)[^\S\r\n]+(?:SHARED RULES|ROLE TEMPLATE|TASK|CONTEXT PACK|USER REQUEST|ATTACHMENT:)`;
const markerLine = new RegExp(`^(?=${marker})`, 'gim');
const escapedLine = new RegExp(String.raw`^\\(?=${marker})`, 'gim');

/** No text can end its own part: a line that looks like a marker gets a backslash, and one that has some gets one more. */
function content(text: string): string {
  const escaped = text.replaceAll(markerLine, '\\');
  return escaped === '' || escaped.endsWith('\n') ? escaped : `${escaped}\n`;
}

/** The text as it was. */
export function unescapeMarkers(text: string): string {
  return text.replaceAll(escapedLine, '');
}

function isLog(name: string): boolean {
  return name === 'logs.txt' || name.endsWith('.log');
}

/** By code unit, which no language setting changes. */
function byName(a: Attached, b: Attached): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
