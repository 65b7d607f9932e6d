import { type Command, named, type Of, tail } from './command.ts';
import { idList } from './needs.ts';

/** `create task T-1: title`, `create task: title`, `create task title`; before the colon also `--needs T-2, T-3`. */
export const createTask: Command<'create_task'> = {
  read: (scanner) => {
    const start = scanner.at;
    const taskId = scanner.id();
    if (taskId === undefined) scanner.at = start;
    const flag = scanner.take(needsFlag);
    const needs = flag === undefined ? [] : idList(flag);
    if (scanner.nameColon()) return needs && created(taskId, scanner.rest(), needs);
    if (flag !== undefined) return undefined; // half understood is not understood
    if (taskId !== undefined && /^T-\d/.test(taskId)) {
      scanner.take(/[^\S\n]*[,:]?\s*/y); // an id of the board's own kind needs no colon
      return created(taskId, scanner.rest(), []);
    }
    scanner.at = start;
    return created(undefined, scanner.rest(), []);
  },
  write: ({ taskId, title, needs = [] }, locale) => {
    const words = [
      ...(taskId === undefined ? [] : [named(taskId)]),
      ...(needs.length === 0 ? [] : [`--needs ${needs.join(', ')}`]),
    ];
    return `${words.join(' ')}${tail(title, locale)}`;
  },
  usage: (id = '') => `${id}: …`,
};

const needsFlag = /[^\S\n]*(?:--|[—–]+)(?:needs|依赖|依存)[^\S\n]*=?([\w,;、 \t-]*)/iy;

function created(
  taskId: string | undefined,
  title: string,
  needs: readonly string[],
): Of<'create_task'> | undefined {
  if (title === '') return undefined;
  return {
    intent: 'create_task',
    ...(taskId === undefined ? {} : { taskId }),
    title,
    ...(needs.length === 0 ? {} : { needs }),
  };
}
