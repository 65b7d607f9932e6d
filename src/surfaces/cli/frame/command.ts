import type { NameSource } from '../../../project/names.ts';
import type { Context } from './context.ts';
import type { Answer } from './json.ts';
import type { statusSynonyms } from './statuses.ts';

/** How one command is typed, explained and run: one file of `commands/` each. Its name and summary are its row in `commands.ts`. */
export interface Definition {
  readonly operand?: Operand;
  readonly options: readonly Option[];
  /** It gets the options that it does not know, and says itself what becomes of them. */
  readonly lenient?: true;
  /** What follows it is another program's line: it gets every word as it stands. */
  readonly raw?: true;
  /** Lines that help shows below the options. */
  readonly notes?: readonly string[];
  readonly examples: readonly string[];
  /** What it prints with --json; a function where to load it takes long. */
  readonly answer?: Answer | (() => Promise<Answer>);
  readonly run: (context: Context) => Promise<number>;
}

/** What help says of a command, or of a group for all of its commands. */
export interface Row {
  /** One word, or a group and a word (`gate approve`). */
  readonly name: string;
  /** The heading under which help lists it. */
  readonly group: string;
  readonly summary: string;
}

export interface Entry extends Row {
  readonly load: () => Promise<{ command: Definition }>;
}

export type Command = Row & Definition;

/** With the schema of what it prints. */
export type Described = Omit<Command, 'answer'> & { readonly answer?: Answer };

/** A first word that is no command by itself, only the beginning of some. */
export type Group = Row & Required<Pick<Definition, 'notes' | 'examples'>>;

/** What a word may be; completion offers it, and the parser refuses other words of a closed list. */
export type Words =
  | { readonly kind: 'integer' | 'file' | 'directory' | 'command' }
  | { readonly kind: 'text'; readonly names?: Names | readonly Names[] }
  | { readonly kind: 'oneOf'; readonly words: readonly string[]; readonly synonyms?: typeof statusSynonyms };

/** What a text names: each word, or one word after the other. `gated`: a task that waits at a `gate`. */
export type Names = NameSource | 'gated' | 'gate';

export type Operand = Words & { readonly label: string; readonly min: number; readonly max: number };

export interface Option {
  readonly name: string;
  readonly short?: string;
  readonly summary: string;
  /** Absent for a flag. `many`: may be repeated, and takes a list with commas. */
  readonly value?: Words & { readonly label: string; readonly many?: true };
  /** A flag that may say more behind "=": `--worktree=PATH`. The next word is never its value. */
  readonly inline?: { readonly label: string };
}
