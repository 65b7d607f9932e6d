import { DocketError } from '../../../errors.ts';
import { patternFrom, type Pattern } from '../../../render/pattern.ts';
import { quoted } from '../../../schema/problem.ts';
import { isBuiltIn } from '../../../task/id.ts';
import { packetIdPattern } from './name.ts';

export { outsideBecause } from '../../../schema/schemas.ts';

/** What speaks against a value of a manifest, if anything does: the reader and the published schema ask the same. */
export function idProblem(id: string): string | undefined {
  const good = packetIdPattern.test(id) && !id.includes('..') && !isBuiltIn(id);
  return good ? undefined : `${quoted(id)} is no name of a packet`;
}

/** Blank, or with a character that no program takes in an argument. */
export function blankness(words: string): string | undefined {
  if (words.includes('\0')) return 'holds a NUL character';
  return words.trim() === '' ? 'is blank' : undefined;
}

/** Asks the one who blacks things out: what it cannot use must not pass for a rule. */
export function patternProblem(source: string): string | undefined {
  return patternFrom(source) ? undefined : `is no regular expression: ${quoted(complaint(source))}`;
}

function complaint(source: string): string {
  try {
    return `${new RegExp(source).source} holds an escape of another language`;
  } catch (error) {
    return (error as SyntaxError).message.split(': ').at(-1) ?? '';
  }
}

/** For a source that a checked manifest holds. */
export function compilePattern(source: string): Pattern {
  const pattern = patternFrom(source);
  if (pattern) return pattern;
  throw new DocketError('INVALID', `${quoted(source)} ${patternProblem(source)}`, 'mend redaction_patterns');
}
