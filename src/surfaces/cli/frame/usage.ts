import { DocketError } from '../../../errors.ts';
import { nearest } from '../../../errors/nearest.ts';
import type { Command, Operand, Option } from './command.ts';
import { entries, entryFor, membersOf } from './commands.ts';

/** A line that cannot be understood: what is wrong with it, the nearest thing that exists, where to read on. */
function usage(
  message: string,
  fix: string,
  command: Command | undefined,
  data: Record<string, unknown>,
): DocketError {
  const help = command === undefined ? 'docket --help' : `docket ${command.name} --help`;
  return new DocketError('USAGE', message, `${fix} (see ${help})`, data);
}

export function unknownCommand(words: readonly string[]): DocketError {
  const [first = '', second] = words;
  const ofGroup = membersOf(first);
  const typed = ofGroup.length > 0 && second !== undefined ? `${first} ${second}` : first;
  const candidates = ofGroup.length > 0 ? ofGroup.map(({ name }) => name) : firstWords();
  const suggestion =
    ofGroup.length > 0 && second !== undefined
      ? meantIn(first, second, candidates)
      : meantAlone(typed, candidates);
  const known =
    ofGroup.length > 0 ? `commands: ${candidates.join(', ')}` : 'docket --help lists the commands';
  const fix = suggestion === undefined ? known : `did you mean "docket ${suggestion}"?`;
  return new DocketError('USAGE', `unknown command "${typed}"`, fix, {
    command: typed,
    ...(suggestion !== undefined && { suggestion }),
  });
}

/** What other tools call a command. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['ls', 'list'],
  ['start', 'run'],
  ['stop', 'cancel'],
  ['rm', 'delete'],
  ['remove', 'delete'],
  ['new', 'add'],
  ['create', 'add'],
]);

function meantAlone(typed: string, names: readonly string[]): string | undefined {
  const near = nearest(typed, [...names, ...otherNames.keys()]);
  return near === undefined ? undefined : (otherNames.get(near) ?? near);
}

/** What a command is called in one group, and its like in another. */
const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  ['show', ['status']],
  ['status', ['show']],
  ['new', ['create', 'init']],
  ['create', ['new', 'init']],
  ['add', ['new', 'create']],
  ['start', ['run']],
  ['retry', ['resume', 'run']],
  ['remove', ['delete']],
  ['rm', ['delete']],
]);

/** The word alone is compared: the name of the group, typed right, would make any other look near. */
function meantIn(group: string, typed: string, names: readonly string[]): string | undefined {
  const inGroup = (word: string | undefined) => (word === undefined ? undefined : `${group} ${word}`);
  const like = (synonyms.get(typed) ?? [])
    .map(inGroup)
    .find((name) => name !== undefined && names.includes(name));
  if (like !== undefined) return like;
  const words = names.map((name) => name.slice(group.length + 1));
  const near = inGroup(nearest(typed, words));
  // What takes any task is not in a group.
  return near ?? entryFor([typed])?.name;
}

function firstWords(): string[] {
  return [...new Set(entries.map(({ name }) => name.split(' ')[0] ?? ''))];
}

export function unknownOption(
  rawName: string,
  known: readonly Option[],
  command: Command | undefined,
): DocketError {
  const found = nearest(
    rawName.replace(/^-+/, ''),
    known.map(({ name }) => name),
  );
  const suggestion = found === undefined ? undefined : `--${found}`;
  const isText = command?.operand?.kind === 'text' ? '; to use it as text, put -- before it' : '';
  const fix = suggestion === undefined ? 'take it out' : `did you mean ${suggestion}?`;
  const where = command === undefined ? '' : ` for "docket ${command.name}"`;
  return usage(`unknown option ${rawName}${where}`, `${fix}${isText}`, command, {
    option: rawName,
    ...(suggestion !== undefined && { suggestion }),
  });
}

export function noValue(option: Option, command: Command | undefined): DocketError {
  const label = option.value?.label ?? '';
  const fix = option.value
    ? `write --${option.name} ${label} (or --${option.name}=${label} when it begins with "-")`
    : `write --${option.name}${option.inline ? ` or --${option.name}=${option.inline.label}` : ''}`;
  return usage(`--${option.name} needs a value`, fix, command, { option: `--${option.name}` });
}

/** A value that is not of its kind: an option's, a flag's (which has none), or a word of the command. */
export function wrongValue(of: Option | Operand, value: string, command: Command | undefined): DocketError {
  const rule = 'kind' in of ? of : of.value;
  const what = 'kind' in of ? of.label : `--${of.name}`;
  if (rule === undefined)
    return usage(`${what} takes no value`, `write ${what} alone`, command, { option: what });
  if (rule.kind !== 'oneOf') {
    const fix = rule.kind === 'integer' ? 'give a whole number' : 'give a value';
    return usage(`${what} cannot be "${value}"`, fix, command, { option: what, value });
  }
  const suggestion = rule.synonyms?.[value.toLowerCase()] ?? nearest(value, rule.words);
  const hint = suggestion === undefined ? '' : `did you mean "${suggestion}"? `;
  return usage(`${what} cannot be "${value}"`, `${hint}known: ${rule.words.join(', ')}`, command, {
    option: what,
    value,
    known: rule.words,
    ...(suggestion !== undefined && { suggestion }),
  });
}

export function missingOperand(command: Command, operand: Operand): DocketError {
  const known = operand.kind === 'oneOf' ? `: ${operand.words.join(', ')}` : '';
  return usage(`docket ${command.name} needs ${operand.label}`, `add it${known}`, command, {
    missing: operand.label,
  });
}

export function tooMany(command: Command, extra: string): DocketError {
  const many = command.operand === undefined ? 'takes no words' : `takes no more than ${command.operand.max}`;
  return usage(`docket ${command.name} ${many}, but got "${extra}"`, 'take it out', command, { extra });
}
