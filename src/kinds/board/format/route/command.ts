import type { Spoken } from '../../../../render/board/words.ts';
import { isBuiltIn, isTaskId } from '../../../../task/id.ts';
import type { Intent, Locale } from '../intent.ts';

export type Of<N extends Spoken> = Extract<Intent, { intent: N }>;

/** What follows a keyword, in both directions. */
export interface Command<N extends Spoken> {
  /** The scanner stands behind the keyword. Undefined: the message is not this command. */
  read(scanner: Scanner, locale: Locale): Of<N> | undefined;
  write(intent: Of<N>, locale: Locale): string;
  /** How it is written, for somebody who has it almost right. */
  usage(id?: string): string;
}

/** A text after an id: `: text` in English, with the wide colon elsewhere. */
export function tail(text: string | undefined, locale: Locale): string {
  if (text === undefined) return '';
  return locale === 'en' ? `: ${text}` : `：${text}`;
}

/** An id that reads as something else gets the word "task" before it. */
export function named(id: string): string {
  return /^(?:tasks?|all|full|for|review|steal)$/i.test(id) ? `task ${id}` : id;
}

type TextKey = 'result' | 'reason' | 'note';
type IdText = Extract<
  Intent,
  { taskId: string } & ({ result?: string } | { reason?: string } | { note?: string })
>['intent'];

/** An id and, mostly, some text about it: `block task T-1: no access`. */
export function idText<N extends IdText>(intent: N, key: TextKey): Command<N> {
  return {
    read: (scanner) => {
      const taskId = scanner.id();
      const text = taskId === undefined ? undefined : textAfter(scanner, taskId);
      if (text === undefined) return undefined;
      return { intent, taskId, ...(text === '' ? {} : { [key]: text }) } as Of<N>;
    },
    write: (said, locale) => {
      const { taskId, [key]: text } = said as { taskId: string } & Partial<Record<TextKey, string>>;
      return `${named(taskId)}${tail(text, locale)}`;
    },
    usage: (id = 'T-001') => `${id}: …`,
  };
}

/** An id or nothing. */
export function maybeId<N extends 'run' | 'synthesize'>(intent: N): Command<N> {
  return {
    read: (scanner) => {
      if (scanner.atEnd()) return { intent } as Of<N>;
      const taskId = scanner.id();
      return taskId !== undefined && scanner.atEnd() ? ({ intent, taskId } as Of<N>) : undefined;
    },
    write: ({ taskId }: { taskId?: string }) => (taskId === undefined ? '' : named(taskId)),
    usage: (id = '') => id,
  };
}

/**
 * The text that follows an id; '' where there is none. Without a colon, `done with T-1` is talk and no command: the word
 * must be a task, look like an id, or stand alone.
 */
export function textAfter(scanner: Scanner, id: string): string | undefined {
  if (scanner.colon()) return scanner.rest();
  if (scanner.atEnd()) return '';
  if (scanner.take(/[^\S\n]*(?:,\s*|\n\s*)/y) !== undefined) return scanner.rest();
  if (!looksLikeId(id) && !scanner.isTask(id)) return undefined;
  return scanner.take(/\s+(?:[-–—]+\s+)?/y) === undefined ? undefined : scanner.rest();
}

function looksLikeId(id: string): boolean {
  return /[A-Za-z]/.test(id) && /\d/.test(id);
}

const actions = {
  on: oneOf(['on', '开', '开启', '打开', 'オン', '開始']),
  off: oneOf(['off', '关', '关闭', 'オフ', '停止']),
};
const asStatus = oneOf(['status', '状态', '状態']);
const everything = oneOf(['all', 'full', '全部', '所有', 'すべて', '全て']);
const say: Record<'on' | 'off' | 'status' | 'all', Record<Locale, string>> = {
  on: { en: 'on', zh: '开', ja: 'オン' },
  off: { en: 'off', zh: '关', ja: 'オフ' },
  status: { en: 'status', zh: '状态', ja: '状態' },
  all: { en: 'all', zh: '全部', ja: 'すべて' },
};

export const help: Command<'help'> = {
  read: (scanner) => (scanner.atEnd() ? { intent: 'help' } : undefined),
  write: () => '',
  usage: () => '',
};

/** `auto progress on 3`, `off`, `status`; nothing asks for the status. */
export const autoProgress: Command<'auto_progress'> = {
  read: (scanner) => {
    const action =
      scanner.take(actions.on) !== undefined
        ? 'on'
        : scanner.take(actions.off) !== undefined
          ? 'off'
          : 'status';
    const worded = action !== 'status' || scanner.take(asStatus) !== undefined;
    const number = worded ? scanner.number() : undefined;
    if (!scanner.atEnd()) return undefined;
    const steps = action === 'on' && number !== undefined ? { steps: within(number, 10) } : {};
    return { intent: 'auto_progress', action, ...steps };
  },
  write: ({ action, steps }, locale) => `${say[action][locale]}${steps === undefined ? '' : ` ${steps}`}`,
  usage: () => 'on 3',
};

/** `autopilot 5`. */
export const autopilot: Command<'autopilot'> = {
  read: (scanner) => {
    const number = scanner.number();
    if (!scanner.atEnd()) return undefined;
    return { intent: 'autopilot', ...(number === undefined ? {} : { steps: within(number, 1000) }) };
  },
  write: ({ steps }) => (steps === undefined ? '' : String(steps)),
  usage: () => '3',
};

/** `status`, `status T-1`, `status all`. */
export const status: Command<'status'> = {
  read: (scanner) => {
    if (scanner.atEnd()) return { intent: 'status' };
    if (scanner.take(everything) !== undefined) {
      return scanner.atEnd() ? { intent: 'status', full: true } : undefined;
    }
    const taskId = scanner.id();
    return taskId !== undefined && scanner.atEnd() ? { intent: 'status', taskId } : undefined;
  },
  write: ({ taskId, full }, locale) => (full ? say.all[locale] : taskId === undefined ? '' : named(taskId)),
  usage: (id = '') => id,
};

function within(number: number, most: number): number {
  return Math.min(Math.max(number, 1), most);
}

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
