import { ofBoard, type BoardProgress } from '../../../app/all/errand-step.ts';
import type { SpawnStep } from '../../../kinds/board/steps.ts';
import type { OtherProgress } from '../other-progress.ts';

const statuses = { done: 'done', blocked: 'blocked', stopped: 'queued', lost: undefined } as const;

/** What the workers of the board do, task by task, for who shows it. */
export function boardProgress(tell: (progress: OtherProgress) => void) {
  /** What the last step of each was seen to end with: nothing is told twice. */
  const begun = new Map<string, string>();
  return {
    onProgress: (id: string, progress: BoardProgress): void => {
      const about = { layout: 'board', id } as const;
      if (!begun.has(id)) tell({ ...about, kind: 'started' });
      const step = ofBoard(id, progress);
      begun.set(id, step.kind === 'stepped' ? step.summary : '');
      tell({ ...about, ...step });
    },
    onStep: ({ taskId: id, decision, detail }: SpawnStep): void => {
      const isTold = begun.get(id) === detail;
      begun.delete(id);
      const status = statuses[decision];
      const said = isTold ? {} : { said: detail };
      tell({ layout: 'board', id, kind: 'ended', ...said, ...(status && { task: { status } }) });
    },
  };
}
