import { claimsIn, type Claims } from '../report/claims.ts';
import { sectionsOf } from './markdown.ts';

/** Below which headings a role says what it changed, and which commands ended well. */
interface Form {
  changed: readonly string[];
  commands: readonly string[];
}

const forms: Readonly<Record<string, Form>> = {
  impl: { changed: ['Changes'], commands: ['Checks'] },
  verify: { changed: ['Fix Applied'], commands: ['Verify Results', 'Re-verify Results'] },
};

const item = /^[ \t]*(?:[-*•]|\d+[.)])[ \t]+(.+)$/gm;
const fence = /^ *(```|~~~)[^]*?(?:^ *\1|$(?![^]))/gm;
const went =
  /^`([^`]+)`(?=.*(?:\bexit(?:ed)?(?: code| status)?(?: with)?[ :=]*`?0\b|\bpass(?:ed|es)?\b))(?!.*(?:\bnot\b|\bfail|\bun\w+ed\b))/i;

/** What an answer in words claims, where its role has a form for it. Plans, findings and proposals claim nothing. */
export async function claimsInAnswer(role: string, text: string): Promise<Claims> {
  const form = Object.hasOwn(forms, role) ? forms[role] : undefined;
  if (!form) return { saysChanged: false, changed: [], files: [], commands: [] };
  const sections = await sectionsOf(text);
  const below = (headings: readonly string[]): string[] =>
    sections
      .filter(({ level, title }) => level === 2 && headings.includes(title.trim()))
      .flatMap((section) => [...section.text.replaceAll(fence, '').matchAll(item)])
      .map(([, line = '']) => line);
  const ran = below(form.commands).flatMap((line) => went.exec(line)?.[1] ?? []);
  const evidence = ran.map((ref) => ({ kind: 'command', ref }));
  // "No fix required." is an item, too: only files that are named count.
  return { ...claimsIn({ changes: below(form.changed), evidence }), saysChanged: false };
}
