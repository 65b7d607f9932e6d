import type { Clock } from '../../io/clock.ts';
import type { FileStore } from '../../store/store.ts';
import type { StoreView } from '../../store/view.ts';
import { archivePlan, archiveTasks } from './archive.ts';
import type { QueueFiles } from './files-api.ts';
import { migrateTasks, migrationPlan } from './migrate.ts';

interface Where {
  root: string;
  /** docket's own folder of the store. */
  dir: string;
  clock: Clock;
  /** Without a lock and without writing. */
  read: () => Promise<StoreView>;
  open: () => Promise<FileStore>;
}

export function queueFiles({ root, dir, clock, read, open }: Where): QueueFiles {
  return {
    async archive(input, dryRun) {
      if (dryRun) return archivePlan((await read()).tasks, input, clock.now());
      return archiveTasks(await open(), input, { root, dir });
    },
    async migrate(apply) {
      return apply ? migrateTasks(await open(), root) : migrationPlan((await read()).tasks);
    },
    async answerRemovals(confirm, by) {
      return (await open()).answerRemovals(confirm, by);
    },
  };
}
