import type { Spoken } from '../../../../render/board/words.ts';
import type { Intent, Locale } from '../intent.ts';
import { type Scanner, oneOf } from './scanner.ts';

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
