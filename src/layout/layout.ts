import type { Wrong } from '../schema/problem.ts';
import type { Command } from '../task/command.ts';
import type { Fields, Json } from '../task/json.ts';
import type { Event, NewEvent, Task, Text } from '../task/schema.ts';

/**
 * A layout says how tasks look in people's files. All of it is pure: text in, text and commands out.
 *
 * The *mirror* is the one file that lists tasks (`.takt/tasks.yaml`). It is handled entry by entry: an entry is
 * one task's piece of the text, found without parsing it, so that a change parses and renders one entry and
 * copies the rest, and one broken entry never stops its neighbours.
 */
export type Layout = MirrorLayout | LogLayout;

/** A layout as a reader of a store knows it: to load the rules takes longer than to read what nobody has edited. */
export interface LazyLayout {
  /** As in `MirrorLayout`. */
  readonly mirror?: string;
  /** As in `AnyLayout`. */
  readonly log?: Log;
  load(): Promise<Layout>;
}

interface AnyLayout {
  readonly name: string;
  /** Files that say what the task says, in other words. They are written whenever they say something else. */
  derived?(task: Task): Derived[];
  /** The format's own log of events. It is then the journal. */
  readonly log?: Log;
}

/** Everything is in the log. No file is read for what people did to it. */
export interface LogLayout extends AnyLayout {
  readonly mirror?: undefined;
  readonly log: Log;
  readonly whole: Whole;
}

/**
 * A file that lists all tasks, made from the log. Only pieces of tasks that changed are made anew; the others are
 * copied as bytes.
 */
export interface Whole {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** What stands before the first piece, between two, and behind the last; `at`: the time of the latest fact. */
  readonly head: string;
  readonly between: string;
  tail(at: string): string;
  /** The file without any task. */
  empty(at: string): string;
  /** A task's piece; undefined: it is not listed. */
  piece(task: Task): string | undefined;
  /** The number by which the pieces are in order: a newer task has a higher one. */
  order(task: Task): number;
}

export interface MirrorLayout extends AnyLayout {
  /** Path of the mirror, relative to the root, with forward slashes. */
  readonly mirror: string;
  /** The lock file of other tools that write the mirror, relative to the root. */
  readonly lock?: string;
  /** It lists many tasks, and people keep it open in an editor: docket remembers which version they may hold. */
  readonly remembersVersions?: true;

  /** The keys of an entry that say what became of its task. Absent: an entry cannot end a task well. */
  readonly stateKeys?: readonly string[];

  /** Cuts the mirror into entries. `undefined` or blank text is an empty sheet. Never throws. */
  split(text: string | undefined): Sheet;
  join(sheet: Sheet): string;
  /** What an entry says, as plain keys and JSON values, or what is wrong with it. */
  parse(entry: Entry): Parsed;
  /** What is worth knowing about an entry that can be read: keys that do nothing, times that do not go with the status. */
  remarks?(entry: Entry): Wrong[];
  /** The name under which the mirror lists this task. Matches `Entry.ref`. */
  ref(task: Task): string;
  /** What the mirror should say about a task now, among these; undefined = it does not list it (archived, removed). */
  describe(task: Task, among?: Sheet): Fields | undefined;
  /** A new entry's text, in the style of the sheet it joins. */
  render(fields: Fields, sheet: Sheet): string;
  /** The entry's text with these keys set (undefined = taken out); every other byte stays. Wrong: it cannot be done. */
  patch(entry: Entry, changes: Readonly<Record<string, Json | undefined>>): string | Wrong;
  /** What a person meant who wrote a new entry, or changed `changed` keys of a task's entry. */
  adopt(fields: Fields, ref: string, idOf?: IdOf): { id: string; commands: Command[] } | Wrong;
  /** The same where a task of that name was removed at `since`; undefined: this entry is that task's. */
  adoptAgain?(
    fields: Fields,
    ref: string,
    since: string,
    idOf?: IdOf,
  ): { commands: Command[] } | Wrong | undefined;
  revise(task: Task, fields: Fields, changed: readonly string[], idOf?: IdOf): Command[] | Wrong;
  /** Files that are made once with the task and belong to people from then on. */
  companions(task: Task): Companion[];
}

/** The id of the task that an entry's ref, or an id, stands for. */
export type IdOf = (ref: string) => string | undefined;

/** A log that other tools read, and write to. One line is one event; its number is the event's seq. */
export interface Log {
  /** Relative to the root. */
  readonly path: string;
  /** The folder for texts that are too long for a line, relative to the root. */
  readonly blobs: string;
  /** The event as an object of this format. What is needed to read it back is in it. `before`: the task without it. */
  encode(event: Event, before?: Task): Record<string, Json>;
  /** The reverse. A line that another tool wrote is a `note`; undefined: it is no line of this log at all. */
  decode(line: Readonly<Record<string, Json>>, seq: number): Event | undefined;
  /** Lines that readers expect beside the facts of a transaction. They change nothing. */
  notes(before: Task | undefined, after: Task, facts: readonly NewEvent[]): NewEvent[];
  /** The JSON files of small values beside the tasks, by the name of the value, relative to the root. */
  readonly state?: Readonly<Record<string, string>>;
  readonly shared?: SharedLog;
}

/** A log of many tasks, that other tools write to as well, and that grows with the years. */
export interface SharedLog {
  /** Where locks are, relative to the root, and the one among them that the other tools know. */
  readonly locks: string;
  readonly lock: string;
  /** Where whole logs go that are put away, relative to the root. */
  readonly archive: string;
  /** What the format remembers of a task beside the core, in the task's extras under this name. */
  readonly memory: string;
  remember(task: Task, event: Event): Readonly<Record<string, Json>>;
  /** The creation of a task about which the log says something, and nothing of where it came from. */
  untold(event: Event): Event;
  /** Facts from which a reader of this log alone knows the task, the last of them `task.carried`. */
  carry(task: Task): NewEvent[];
}

export interface Derived {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** Changes when the text might: while it is the same, nobody asks for the text. */
  key: string;
  /** The whole text, given what is there now; what people wrote in it stays. Undefined: there is no such file. */
  text(current: string | undefined): string | undefined;
}

export interface Companion {
  /** Relative to the root, with forward slashes. */
  path: string;
  text: Text;
}

export interface Entry {
  ref: string;
  text: string;
  /** The 1-based line of its first line in the file. */
  line: number;
  /** The 1-based column in which it begins, where that is not the first. */
  column?: number;
  /** Its file, where something of one entry may mean something in another, and where it begins in it. */
  file?: { links: object; at: number };
}

export interface Sheet {
  head: string;
  entries: readonly Entry[];
  tail: string;
  /** The list is written in brackets. */
  flow?: true;
  /** A file in a style we cannot cut: nothing of it is read or written until somebody mends it. */
  wrong?: Wrong;
}

export type Parsed = { fields: Fields } | { wrong: Wrong };
