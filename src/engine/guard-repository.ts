import { shellWord } from '../errors/shell-word.ts';
import { someNames } from '../errors/some-names.ts';
import type { BlockReason, Task } from '../task/schema.ts';
import { asText } from '../workspace/bytes.ts';
import { watchMarks } from '../workspace/hidden-edits.ts';
import { movedSince, readRefs } from '../workspace/moved-refs.ts';
import type { GuardOptions } from './guard.ts';

const most = 10;

interface Watched extends Pick<GuardOptions, 'root' | 'goOn' | 'onNotice'> {
  step: string;
  isApart: boolean;
}

/**
 * Branches, tags and HEAD of people's own repository, and in place the marks in its index that hide edits. Nothing is
 * undone: people use the same repository meanwhile (ADR 17).
 */
export async function watchRepository(
  { root, goOn, step, isApart, onNotice }: Watched,
  task: Task,
): Promise<() => Promise<{ reason: BlockReason; putBack: false } | undefined>> {
  const refs = await readRefs(root);
  if (!refs) return async () => undefined;
  const newMarks = isApart ? undefined : await watchMarks(root);
  return async () => {
    const moved = await movedSince(root, refs, !isApart);
    if (!moved) return undefined; // the check of the work reports it
    if (moved.explained.length > 0)
      onNotice?.(
        `moved in your repository while step ${step} ran: ${someNames(moved.explained, most)}`,
        task,
      );
    const hidden = (await newMarks?.()) ?? [];
    const texts = [
      ...(moved.unexplained.length > 0 ? [refsText(moved.unexplained, step, goOn)] : []),
      ...(hidden.length > 0 ? [marksText(hidden.map(asText), step, goOn)] : []),
    ];
    if (texts.length === 0) return undefined;
    return { reason: { kind: 'scope', text: texts.join('\n'), who: 'a person' }, putBack: false };
  };
}

function refsText(moved: readonly string[], step: string, goOn: string): string {
  return `refs of your repository moved while step ${step} ran, and no commit, merge or other command of yours explains it: ${someNames(moved, most)}. An agent must not move them; docket changed nothing back. Restore them if needed (git branch -f NAME COMMIT; git reflog NAME shows where a branch was), then: ${goOn}`;
}

function marksText(names: readonly string[], step: string, goOn: string): string {
  const files = names.slice(0, most).map(shellWord).join(' ');
  const show = (mark: string): string => `git update-index --no-${mark} -- ${files}`;
  return `git was told to hide edits of ${someNames(names, most)} while step ${step} ran (marks in the index), so the changes there are in no diff. Show them again (${show('skip-worktree')} && ${show('assume-unchanged')}), look at them, then: ${goOn}`;
}
