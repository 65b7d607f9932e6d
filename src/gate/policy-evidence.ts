import type { ProofKind } from '../report/classify-kinds.ts';
import { clausesOf, isDenied } from '../report/classify-words.ts';
import type { Report } from '../report/schema.ts';
import {
  anyFile,
  blocks,
  commandFirst,
  fence,
  hasStageWord,
  labelled,
  namedOnly,
  onlyWords,
  phrases,
  plainNames,
  url,
} from './policy-patterns.ts';

export interface Proof {
  kind: ProofKind;
  ref: string;
}

/** What a report is judged by. What it says about later (`nextActions`) proves nothing. */
export type Judged = Pick<Report, 'summary' | 'changes' | 'evidence'>;

export function isStage(text: string): boolean {
  return hasStageWord(text.replaceAll(url, ' ').replaceAll(anyFile, ' '));
}

/** A report has bounds of its own; this one is for words of people. */
const longest = 8192;
const shortestExcerpt = 6;

/** All that a report points to. A clause about what comes next points to nothing yet. */
export function proofsIn({ summary, changes, evidence }: Judged): Proof[] {
  return [
    ...evidence.flatMap(entryProofs),
    ...changes.flatMap((line) => changedFile(line) ?? textProofs(line)),
    ...textProofs(summary),
    ...namedProofs(summary),
  ];
}

function entryProofs({ kind, ref, note = '' }: Report['evidence'][number]): Proof[] {
  const command: Proof[] = commandFirst.test(ref) ? [{ kind: 'command', ref }] : [];
  const said = [...command, ...textProofs(`${ref}\n${note}`)];
  if (kind === 'text' || said.some((proof) => proof.kind === kind)) return said;
  // One word without an extension is a file, or a command, when it is said to be one.
  const isNamed = kind === 'file' ? /^\S+$/u.test(ref) : kind === 'command' && /\p{L}/u.test(ref);
  return isNamed ? [{ kind, ref }, ...said] : said;
}

/** `Makefile: a new target` names a file, `fix: the login` does not. */
function changedFile(line: string): Proof[] | undefined {
  const file = /^([^\s:]{1,300})(?:: \S|$)/.exec(line)?.[1] ?? '';
  const isFile = /[./\\]/.test(file) || plainNames.test(file);
  return isFile ? [{ kind: 'file', ref: file }] : undefined;
}

/** What people name without a path or a link. A denied one (没有截图, "no test log") is none. */
function namedProofs(summary: string): Proof[] {
  return clausesOf(summary.slice(0, longest))
    .filter((clause) => !isStage(clause))
    .flatMap((clause) => {
      const small = clause.toLowerCase();
      return [...small.matchAll(namedOnly)]
        .filter(({ index, 0: ref }) => !isDenied(small, index, ref))
        .map(({ 0: ref }): Proof => ({ kind: 'log', ref: ref.trim() }));
    });
}

/** A path or a link behind "log:" is no excerpt of a log: it counts as what it is. */
function isPointer(ref: string): boolean {
  return /^[\s.。,，;；)]*$/u.test(ref.replaceAll(url, '').replaceAll(anyFile, ''));
}

function textProofs(whole: string): Proof[] {
  const text = whole.slice(0, longest);
  const blocksFound = blocks.flatMap(([kind, pattern]) => matches(kind, pattern, text));
  const excerpts = matches('log', labelled, text).filter(
    ({ ref }) => ref.length >= shortestExcerpt && !onlyWords.test(ref) && !isStage(ref) && !isPointer(ref),
  );
  const pointed = clausesOf(text.replaceAll(fence, '\n'))
    .filter((clause) => !isStage(clause))
    .flatMap((clause) => {
      const links = matches('url', url, clause).filter(({ ref }) => isAddress(ref));
      const rest = clause.replaceAll(url, ' ');
      return [...links, ...phrases.flatMap(([kind, pattern]) => matches(kind, pattern, rest))];
    });
  return [...blocksFound, ...pointed, ...excerpts];
}

function matches(kind: ProofKind, pattern: RegExp, text: string): Proof[] {
  return [...text.matchAll(pattern)]
    .map((match) => ({ kind, ref: match[1] ?? match[0] }))
    .filter(({ ref }) => ref.trim() !== '');
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && new URL(text).hostname !== '';
}
