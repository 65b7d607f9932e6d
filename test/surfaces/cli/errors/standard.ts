import { DocketError, type ErrorCode } from '../../../../src/errors.ts';
import { entryFor, loadCommand, membersOf } from '../../../../src/surfaces/cli/frame/commands.ts';
import { globalOptions } from '../../../../src/surfaces/cli/frame/options.ts';
import { parseLine } from '../../../../src/surfaces/cli/frame/parse.ts';
import { wordsOf } from './words.ts';

/** What `--json` prints instead of an answer. */
export interface Told {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fix: string;
  readonly data: Record<string, unknown>;
}

/** Everything that is wrong with an error, whoever tells it: nothing, if it says what, where and what to do. */
export async function faultsIn({ code, message, fix }: Told): Promise<string[]> {
  const faults: string[] = [];
  if (code === 'INTERNAL') faults.push('nobody foresaw it');
  if (/undefined|\[object|\bNaN\b/.test(`${message} ${fix}`)) faults.push('a value is missing in it');
  if (message.trim().length < 8) faults.push('the message says nothing');
  if (!isConcrete(fix)) faults.push(`the fix names no command, option, file, setting or value: ${fix}`);
  for (const said of linesIn(fix)) {
    const problem = await problemOf(said);
    if (problem !== undefined) faults.push(`the fix has "docket ${said.line}", and docket says: ${problem}`);
  }
  return faults;
}

const things = [
  /\b(?:docket|git|gh|npm|chmod|ls|df|ps|tar|mkdir|iconv|openssl|export) /, // a program
  /--[a-z]/, // an option
  /(?:^|[\s"`])[.~]?[\w-]*\/[\w./-]+/, // a path
  /\b[\w-]+\.(?:ya?ml|jsonl?|md|log|txt)\b/,
  /\b(?!JSON|YAML)[A-Z][A-Z_]{3,}\b/, // a variable
  /["`][^"`]+["`]/, // a word to write
  /\b(?:one of|known|such as|say which|write)\b/, // the words to choose from
  /\b(?:mend|fix) (?:that line|line \d)/i,
];

/** There is something in it that can be typed, or the line to mend. "Check the path" has nothing. */
function isConcrete(fix: string): boolean {
  return things.some((thing) => thing.test(fix));
}

/** What stands behind `docket` in a text. Behind a colon it is a line to copy; inside a sentence the beginning of one. */
export function linesIn(fix: string): { line: string; isWhole: boolean }[] {
  const whole = /: docket ([a-z][^;()]*?)(?=$|[;()]|,? or )/g;
  const inSentence = /\bdocket (?!changes |itself )([a-z-]+(?: [a-z-]+)?(?: --[a-z-]+)*)/g;
  return [
    ...[...fix.matchAll(whole)].map(([, line = '']) => ({ line, isWhole: true })),
    ...[...fix.replaceAll(whole, '').matchAll(inSentence)].map(([, line = '']) => ({ line, isWhole: false })),
  ];
}

async function problemOf({ line, isWhole }: { line: string; isWhole: boolean }): Promise<string | undefined> {
  const words = wordsOf(line.replaceAll('…', 'text'));
  try {
    if (!isWhole) return await problemOfBeginning(words);
    const { command, group } = await parseLine(words);
    return command === undefined && group === undefined ? 'it is no command' : undefined;
  } catch (error) {
    if (error instanceof DocketError) return error.message;
    throw error;
  }
}

async function problemOfBeginning(words: readonly string[]): Promise<string | undefined> {
  const entry = entryFor(words);
  const command = entry && (await loadCommand(entry));
  const known = new Set([...(command?.options ?? []), ...globalOptions].map(({ name }) => `--${name}`));
  const options = words.filter((word) => word.startsWith('--'));
  if (command === undefined && membersOf(words[0] ?? '').length === 0 && words[0] !== '--help')
    return 'it is no command';
  const wrong = options.find((option) => !known.has(option));
  return wrong === undefined ? undefined : `it has no ${wrong}`;
}
