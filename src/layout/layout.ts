import type { Command } from '../task/command.ts';
import type { Event, NewEvent, Task, Text } from '../task/schema.ts';

/**
 * A layout says how tasks look in people's files. All of it is pure: text in, text and commands out.
 *
 * The *mirror* is the one file that lists tasks (`.takt/tasks.yaml`). It is handled entry by entry: an entry is
 * one task's piece of the text, found without parsing it, so that a change parses and renders one entry and
 * copies the rest, and one broken entry never stops its neighbours.
 */
export interface Layout {
  readonly name: string;
  /** Path of the mirror, relative to the root, with forward slashes. */
  readonly mirror: string;

  /** Cuts the mirror into entries. `undefined` or blank text is an empty sheet. Never throws. */
  split(text: string | undefined): Sheet;
  join(sheet: Sheet): string;
  /** What an entry says, as plain keys and JSON values, or what is wrong with it. */
  parse(entry: Entry): Parsed;
  /** The name under which the mirror lists this task. Matches `Entry.ref`. */
  ref(task: Task): string;
  /** What the mirror should say about a task now; undefined = it does not list it (archived, removed). */
  describe(task: Task): Fields | undefined;
  /** A new entry's text, in the style of the sheet it joins. */
  render(fields: Fields, sheet: Sheet): string;
  /** The entry's text with these keys set (undefined = taken out); every other byte stays. */
  patch(entry: Entry, changes: Readonly<Record<string, Json | undefined>>): string;
  /** What a person meant who wrote a new entry, or changed `changed` keys of a task's entry. */
  adopt(fields: Fields, ref: string): { id: string; commands: Command[] } | Wrong;
  revise(task: Task, fields: Fields, changed: readonly string[]): Command[] | Wrong;
  /** Files that are made once with the task and belong to people from then on. */
  companions(task: Task): Companion[];
  /** Files that say what the task says, in other words. They are written whenever they say something else. */
  derived?(task: Task): Derived[];
  /** The format's own log of events. It is then the journal. */
  readonly log?: Log;
}

/** A log that other tools read, and write to. One line is one event; its number is the event's seq. */
export interface Log {
  /** Relative to the root. */
  readonly path: string;
  /** The folder for texts that are too long for a line, relative to the root. */
  readonly blobs: string;
  /** The event as an object of this format. What is needed to read it back is in it. */
  encode(event: Event): Record<string, Json>;
  /** The reverse. A line that another tool wrote is a `note`; undefined: it is no line of this log at all. */
  decode(line: Readonly<Record<string, Json>>, seq: number): Event | undefined;
  /** Lines that readers expect beside the facts of a transaction. They change nothing. */
  notes(before: Task | undefined, after: Task, facts: readonly NewEvent[]): NewEvent[];
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

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Fields = Readonly<Record<string, Json>>;

export interface Entry {
  ref: string;
  text: string;
  /** The 1-based line of its first line in the file. */
  line: number;
}

export interface Sheet {
  head: string;
  entries: readonly Entry[];
  tail: string;
  /** A file in a style we cannot cut: nothing of it is read or written until somebody mends it. */
  wrong?: Wrong;
}

export type Parsed = { fields: Fields } | { wrong: Wrong };

/** What is wrong in a file, where, and what to do about it. */
export interface Wrong {
  message: string;
  fix: string;
  line: number;
  column: number;
}
