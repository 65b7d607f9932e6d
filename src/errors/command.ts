import { shellWord } from './shell-word.ts';

/** A command line of docket. A terminal prints its text; a page makes a button of its words. */
export class CommandLine {
  readonly words: readonly string[];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.words = splitWords(text);
  }

  toString(): string {
    return `docket ${this.#text}`;
  }
}

/** What to do about an error: a sentence, and the commands in it. */
export class Fix {
  readonly text: string;
  readonly commands: readonly CommandLine[];

  constructor(text: string, commands: readonly CommandLine[]) {
    this.text = text;
    this.commands = commands;
  }

  toString(): string {
    return this.text;
  }
}

type Value = string | number | CommandLine | Fix;

/** `command`retry ${name}``: the values are words, quoted for a shell where they need it. */
export function command(parts: TemplateStringsArray, ...values: (string | number)[]): CommandLine {
  return new CommandLine(
    join(
      parts,
      values.map((value) => shellWord(String(value))),
    ),
  );
}

/** `fix`answer first: ${command`gate list ${name}`}`` */
export function fix(parts: TemplateStringsArray, ...values: Value[]): Fix {
  const commands = values.flatMap((value) =>
    value instanceof CommandLine ? [value] : value instanceof Fix ? value.commands : [],
  );
  return new Fix(join(parts, values.map(String)), commands);
}

function join(parts: TemplateStringsArray, values: readonly string[]): string {
  return parts.map((part, at) => part + (values[at] ?? '')).join('');
}

/** The words that a shell makes of a line of words and quotes. */
function splitWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"|\\(.)/g,
      (_all, single, double, escaped) => single ?? double ?? escaped,
    ),
  );
}
