import { isTaskId } from '../../../../task/id.ts';
import { type Command, named, type Of } from './command.ts';
import { keywords } from './keywords.ts';
import { oneOf, type Scanner } from './scanner.ts';

const most = 100;

/** `needs T-2: T-1, T-3`, `depends T-2 on T-1`. */
export const addNeeds: Command<'add_needs'> = {
  read: (scanner) => {
    const taskId = scanner.id();
    if (taskId === undefined) return undefined;
    if (!scanner.colon()) scanner.take(/[^\S\n]+on(?=\s)|[^\S\n]*[于於]/iy);
    return linked(taskId, scanner.rest());
  },
  write: ({ taskId, needs }) => `${named(taskId)}: ${needs.join(', ')}`,
  usage: (id = 'T-001') => `${id}: T-002`,
};

const between = oneOf(Object.values(keywords.add_needs).flat());

/** `T-2 needs T-1`, `T-2 依赖 T-1`: the one command whose verb stands in the middle. */
export function readNeedsBetween(scanner: Scanner): Of<'add_needs'> | undefined {
  const taskId = scanner.id();
  if (taskId === undefined || (!/^T-\d/.test(taskId) && !scanner.isTask(taskId))) return undefined;
  if (scanner.take(between) === undefined) return undefined;
  scanner.take(/[^\S\n]+on(?=\s)|[^\S\n]*[于於:]/iy);
  return linked(taskId, scanner.rest());
}

function linked(taskId: string, list: string): Of<'add_needs'> | undefined {
  const needs = idList(list);
  return needs === undefined || needs.length === 0 ? undefined : { intent: 'add_needs', taskId, needs };
}

/** Ids with commas, gaps or "and" between them. Undefined: something there is no id. */
export function idList(text: string): string[] | undefined {
  if (text.length > most * 130) return undefined;
  const ids = text.split(/[,，;；、和と]/).flatMap((part) => {
    const words = part.split(/\s+/).filter((word) => word !== '');
    return words.length === 1 ? words : words.filter((word) => !/^(?:and|&)$/i.test(word));
  });
  const distinct = [...new Set(ids)];
  return distinct.length <= most && distinct.every(isTaskId) ? distinct : undefined;
}
