import type { Json } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';
import { ownOf } from './record.ts';

/** What people ask for in a task's record, beside what the core has a place for. Unchecked: they may write anything. */
export interface Wishes {
  branch?: string;
  base?: string;
  slug?: string;
  autoPr: boolean;
  draftPr: boolean;
  /** Push the branch, also without a pull request. */
  publish: boolean;
  issue?: number;
  startStep?: string;
  retryNote?: string;
  taskDir?: string;
  contentFile?: string;
  /** Steps that it may take, where an earlier run has reached its limit. */
  maxSteps?: number;
}

/** Never what docket noted itself: that is `notedOf`. */
export function wishesOf(task: Pick<Task, 'id' | 'extras'>): Wishes {
  const { kept } = ownOf(task);
  const text = (...keys: string[]) => first(keys, kept, isText);
  const count = (...keys: string[]) => first(keys, kept, isCount);
  return {
    autoPr: kept['auto_pr'] === true,
    draftPr: kept['draft_pr'] === true,
    publish: kept['should_publish_branch_to_origin'] === true,
    ...some('branch', text('branch')),
    ...some('base', text('base_branch')),
    ...some('slug', text('slug')),
    ...some('issue', count('issue')),
    ...some('startStep', text('start_step', 'start_movement')),
    ...some('retryNote', text('retry_note')),
    ...some('taskDir', text('task_dir')),
    ...some('contentFile', text('content_file')),
    ...some('maxSteps', count('exceeded_max_steps', 'exceeded_max_movements')),
  };
}

function first<T extends Json>(
  keys: readonly string[],
  kept: Readonly<Record<string, Json>>,
  is: (value: Json | undefined) => value is T,
): T | undefined {
  return keys.map((key) => kept[key]).find(is);
}

function some<K extends keyof Wishes>(key: K, value: Wishes[K] | undefined): Partial<Pick<Wishes, K>> {
  return value === undefined ? {} : ({ [key]: value } as Pick<Wishes, K>);
}

/** An empty text is how some tools write "none". */
function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
