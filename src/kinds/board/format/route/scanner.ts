import { isBuiltIn, isTaskId } from '../../../../task/id.ts';

/**
 * Reads a message from the left, word by word. Every pattern is anchored where the scanner stands, so that each letter
 * is looked at a few times only.
 */
export class Scanner {
  readonly text: string;
  readonly isTask: (id: string) => boolean;
  at = 0;
  readonly #folded: string;

  constructor(text: string, isTask: (id: string) => boolean = () => false) {
    this.text = text;
    this.isTask = isTask;
    this.#folded = fold(text);
  }

  /** Takes what a sticky pattern finds here: its first group, or all of it. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#folded);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found[1] ?? found[0];
  }

  /** An id, with or without the word "task" before it. */
  id(): string | undefined {
    this.take(noun);
    const id = this.take(idWord);
    return isTaskId(id) ? id : undefined;
  }

  role(): string | undefined {
    const role = this.take(roleWord);
    return role !== undefined && role.length <= 64 && !isBuiltIn(role) ? role : undefined;
  }

  number(): number | undefined {
    const digits = this.take(/[^\S\n]*(-?\d+)(?![\w-])/y);
    return digits === undefined ? undefined : Number(digits);
  }

  colon(): boolean {
    return this.take(/[^\S\n]*:\s*/y) !== undefined;
  }

  /** The colon after a name. The one of `http://`, `C:\` or `12:30` ends none. */
  nameColon(): boolean {
    const wide = this.text[this.at] === '：';
    return wide ? this.colon() : this.take(/[^\S\n]*:(?![/\\])(?!(?<=\d:)\d)\s*/y) !== undefined;
  }

  /** The rest, in the writer's own letters. */
  rest(): string {
    return this.text.slice(this.at).trim();
  }

  /** Nothing more is said; a full stop says nothing. */
  atEnd(): boolean {
    return this.take(/[\s.!。~]*$/y) !== undefined;
  }
}

const noun = /[^\S\n]*(?:tasks?(?![\w-])|任务|タスク)/iy;
const idWord = /[^\S\n]*#?(\w[\w-]*)(?=$|[\s:,;!?。、]|\.(?:\s|$))/y;
/** Roles are plain words; a person who is called by `@` may have any name. */
const roleWord = /[^\S\n]*@?(\w(?:[\w.-]*[\w-])?|(?<=@)[\p{L}\p{N}][\p{L}\p{N}_.-]*)/uy;

/** One of some words, in any case. A word in Latin letters ends where its letters end; the others need no gap. */
export function oneOf(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const parts = longestFirst.map((word) => {
    const escaped = word
      .replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
      .replaceAll(' ', String.raw`[^\S\n]+`);
    return /\w$/.test(word) ? String.raw`${escaped}(?![\w-])` : escaped;
  });
  return new RegExp(String.raw`[^\S\n]*(${parts.join('|')})`, 'iy');
}

/** What a person sees of a message: one kind of line end, and nothing that steers a terminal or hides in the text. */
export function clean(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\p{Bidi_C}\p{Cs}\u200B\u2060\uFEFF]/gu, '')
    .trim();
}

const decoder = new TextDecoder('utf-16le');

/** Full-width letters and signs as the usual ones. It keeps every position, so that arguments are cut from the original. */
export function fold(text: string): string {
  return text.replaceAll(/\u3000/g, ' ').replaceAll(/[\uFF01-\uFF5E]+/g, (wide) => {
    const narrow = new Uint16Array(wide.length);
    for (let at = 0; at < wide.length; at += 1) narrow[at] = wide.charCodeAt(at) - 0xfee0;
    return decoder.decode(narrow);
  });
}
