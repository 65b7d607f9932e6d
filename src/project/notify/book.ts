import { createHash } from 'node:crypto';
import { command, fix } from '../../errors/command.ts';
import type { Layout, Want } from './wants.ts';

/** What was told, and what is to be told, of one root. */
export interface Book {
  v: 1;
  /** Seen, and waiting for others to be told with. */
  waiting: Waiting[];
  /** Made, and perhaps not handed to every channel yet. */
  made: Message[];
  /** By key, when it was told. The latest last. */
  told: [key: string, at: number, about?: string][];
}

interface Waiting extends Want {
  at: number;
}

/** One message. Its id is the same at every try. */
export interface Message {
  id: string;
  at: number;
  wants: Want[];
}

export interface Pace {
  digestMs: number;
  coolDownMs: number;
}

export const emptyBook: Book = { v: 1, waiting: [], made: [], told: [] };

/** So many are remembered; more than anybody has open at once. */
const remembered = 5000;

/** With what is new in it. What is known, or was told of the same thing a moment ago, is not. */
export function noticed(book: Book, wants: readonly Want[], now: number, { coolDownMs }: Pace): Book {
  const known = new Set([...book.told.map(([key]) => key), ...book.waiting.map(({ key }) => key)]);
  const recent = new Set([
    ...book.told.flatMap(([, at, about]) =>
      about !== undefined && at + coolDownMs > now && at <= now ? [about] : [],
    ),
    ...book.waiting.flatMap(({ about }) => about ?? []),
  ]);
  const fresh = wants.filter(({ key, about }) => {
    if (known.has(key) || (about !== undefined && recent.has(about))) return false;
    known.add(key);
    if (about !== undefined) recent.add(about);
    return true;
  });
  return fresh.length === 0
    ? book
    : { ...book, waiting: [...book.waiting, ...fresh.map((want) => ({ ...want, at: now }))] };
}

/** A message of all that waits, if the first of them has waited long enough, or nobody will look again (`last`). */
export function composed(book: Book, now: number, { digestMs }: Pace, last: boolean): Book {
  const [first] = book.waiting;
  // A clock that was set back must not hold it for ever.
  if (!first || !(last || now - first.at >= digestMs || first.at > now)) return book;
  const wants = book.waiting.map(({ at: _, ...want }) => want);
  const id = `notify:${createHash('sha256')
    .update(JSON.stringify(wants.map(({ key }) => key)))
    .digest('hex')
    .slice(0, 32)}`;
  const told = wants.map(({ key, about }): Book['told'][number] =>
    about === undefined ? [key, now] : [key, now, about],
  );
  return {
    v: 1,
    waiting: [],
    made: [...book.made, { id, at: now, wants }],
    told: [...book.told, ...told].slice(-remembered),
  };
}

const mostLines = 3;

/** At most three lines, and how many more there are. */
export function textOf(wants: readonly Want[], except?: Layout): string {
  const lines = wants.filter(({ layout }) => layout !== except).map(({ text }) => text);
  const more = lines.length - mostLines;
  const shown = lines.slice(0, mostLines);
  return (more > 0 ? [...shown, fix`+${more} more (${command`list --status blocked`})`.text] : shown).join(
    '\n',
  );
}
