import { type Claims, claimsIn } from '../report/claims.ts';
import { type Section, sectionsOf } from './markdown.ts';

/** What a role's answer must have: headings of level 2 that begin with these words, each with something below it. */
interface Contract {
  headings: readonly string[];
  /** Spelling counts, capitals included. */
  exact?: boolean;
  /** So many lines that are not blank. */
  lines?: number;
  /** What only this role asks for. */
  check?: (sections: readonly Section[]) => string[];
}

const contextPack = [
  '0. Goal',
  '1. Non-goals',
  '2. Scope',
  '3. Acceptance',
  '4. Fixed',
  '5. Files to Read',
  '6. Prohibited Actions',
  '7. Current State',
  '8. Open Questions',
  '9. Change History',
];

const packHeading = 'Updated Context Pack';
const reviewHeadings = ['Findings', 'Test gaps', 'Breaking changes', 'Minimal fix'];

const contracts: Readonly<Record<string, Contract>> = {
  brief: {
    headings: ['Summary', 'Acceptance', 'Scope', 'Constraints', 'Verify Commands'],
    exact: true,
    check: checkPack,
  },
  verify: {
    headings: ['Status'],
    check: (sections) => verdict(sections, 'Status', ['PASS', 'FAIL'], 'FAIL'),
  },
  review: { headings: reviewHeadings },
  review_consolidate: { headings: reviewHeadings },
  runbook: { headings: ['Problem', 'Plan', 'Commands', 'Risks'] },
  test_design: {
    headings: ['Test Matrix', 'Failure Triage Order', 'Verification Commands', 'Coverage Gaps'],
    lines: 10,
  },
  static_verify: {
    headings: ['Pre-execution checks', 'Dangerous changes', 'Rollback plan', 'Go/No-Go'],
    check: (sections) => verdict(sections, 'Go/No-Go', ['GO WITH CAUTION', 'NO-GO', 'GO'], 'NO-GO'),
  },
  test_impl: { headings: ['Added or Updated Tests', 'Unified Diff', 'Rationale'], check: checkTestDiff },
};

/** Why this answer is not what its role has to hand in. A role without a contract only has to say something. */
export async function checkContract(role: string, text: string): Promise<{ reasons: string[] }> {
  if (text.trim() === '') return { reasons: ['the answer is empty'] };
  const contract = Object.hasOwn(contracts, role) ? contracts[role] : undefined;
  if (!contract) return { reasons: [] };
  const { headings, exact = false, lines = 0, check } = contract;
  const sections = await sectionsOf(text);
  const said = text.split('\n').filter((line) => line.trim() !== '').length;
  return {
    reasons: [
      ...headings.flatMap((heading) => checkHeading(sections, heading, exact)),
      ...(said < lines ? [`the answer has ${said} lines that are not blank; ${lines} are needed`] : []),
      ...(check?.(sections) ?? []),
    ],
  };
}

/** What the next steps take from a brief. */
export async function briefHandoff(
  text: string,
): Promise<{ contextPack?: string; verifyCommands: string[] }> {
  const sections = await sectionsOf(text);
  const pack = packSections(sections)
    .map(({ source }) => source)
    .join('\n')
    .trim();
  const verifyCommands = commandsBelow(sections, 'Verify Commands');
  return { ...(pack !== '' && { contextPack: `${pack}\n` }), verifyCommands };
}

/** The commands in the first fence below a heading of level 2 or 3. */
export async function commandsUnder(text: string, heading: string): Promise<string[]> {
  return commandsBelow(await sectionsOf(text), heading);
}

function commandsBelow(sections: readonly Section[], heading: string): string[] {
  const found = sections.find(
    ({ level, title, fences }) =>
      (level === 2 || level === 3) && begins(title, heading, false) && fences.length > 0,
  );
  return commandsIn(found?.fences[0]?.text ?? '');
}

/** One per line; a line that ends in a backslash goes on in the next one. */
function commandsIn(text: string): string[] {
  return text
    .replaceAll(/\\\r?\n[ \t]*/g, '')
    .split('\n')
    .map((line) => line.trim().replace(/^\$\s+/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The numbered sections after the pack's heading, up to the next one without a number. */
function packSections(sections: readonly Section[]): Section[] {
  const top = sections.filter(({ level }) => level <= 2);
  const start = top.findIndex((section) => isTitled(section, packHeading, false));
  if (start < 0) return [];
  const rest = top.slice(start + 1);
  const end = rest.findIndex(({ level, title }) => level !== 2 || !/^\d+\. /.test(title));
  return end < 0 ? rest : rest.slice(0, end);
}

function checkPack(sections: readonly Section[]): string[] {
  if (matching(sections, packHeading, true).length === 0) return [missing(sections, packHeading)];
  const pack = packSections(sections);
  return contextPack.flatMap((heading) => checkHeading(pack, heading, false, ` below "## ${packHeading}"`));
}

function checkHeading(sections: readonly Section[], heading: string, exact: boolean, where = ''): string[] {
  const found = matching(sections, heading, exact);
  if (found.length === 0) return [missing(sections, heading) + where];
  if (found.some(({ isEmpty }) => !isEmpty)) return [];
  return found.map(({ line }) => `"## ${heading}" (line ${line}) has nothing below it; write "None." there`);
}

function missing(sections: readonly Section[], heading: string): string {
  const other = sections.find((section) => begins(section.title, heading, false));
  const hint = other && `, line ${other.line} has "${'#'.repeat(other.level)} ${other.title}"`;
  return `the heading "## ${heading}" is missing${hint ?? ''}`;
}

function verdict(
  sections: readonly Section[],
  heading: string,
  words: readonly string[],
  bad: string,
): string[] {
  return matching(sections, heading, false)
    .filter(({ isEmpty, title }) => !isEmpty || title.length > heading.length)
    .flatMap((section) => {
      const where = `"## ${heading}" (line ${section.line})`;
      const word = wordOf(section, heading, words);
      if (word === undefined) return [`${where} must begin with one of ${words.join(', ')}`];
      return word === bad ? [`${where} says ${bad}`] : [];
    });
}

/** In the heading's own line or in the first one below. "PASS/FAIL", as in a form that nobody filled in, is none. */
function wordOf({ title, text }: Section, heading: string, words: readonly string[]): string | undefined {
  const inTitle = title.slice(heading.length);
  const first = text.split('\n').find((line) => /[a-z]/i.test(line)) ?? '';
  const said = (/[a-z]/i.test(inTitle) ? inTitle : first).replace(/^[^a-z]+/i, '').toUpperCase();
  return words.find((word) => begins(said, word, true) && !/^\W*[/|]/.test(said.slice(word.length)));
}

function checkTestDiff(sections: readonly Section[]): string[] {
  return matching(sections, 'Unified Diff', false).flatMap((section) => {
    const none = section.text.split('\n').some((line) => /^No (changes|diff) required\.$/i.test(line.trim()));
    if (
      none ||
      section.isEmpty ||
      section.fences.some(({ lang, text }) => lang === 'diff' && text.trim() !== '')
    )
      return [];
    return [
      `"## Unified Diff" (line ${section.line}) needs a fenced diff, or the line "No changes required."`,
    ];
  });
}

const matching = (sections: readonly Section[], heading: string, exact: boolean): Section[] =>
  sections.filter((section) => isTitled(section, heading, exact));

const isTitled = ({ level, title }: Section, heading: string, exact: boolean): boolean =>
  level === 2 && begins(title, heading, exact);

/** Whole words: "Plan" begins "Plan B", and not "Planet". */
function begins(title: string, words: string, exact: boolean): boolean {
  const start = title.slice(0, words.length);
  const same = exact ? start === words : start.toLowerCase() === words.toLowerCase();
  return same && !/^[\p{L}\p{N}_]/u.test(title.slice(words.length));
}

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
