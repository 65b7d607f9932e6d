import type { Locale } from '../intent.ts';
import { type Command, named } from './command.ts';
import { oneOf } from './scanner.ts';

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
