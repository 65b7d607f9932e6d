import type { RunInput } from '../../app.ts';
import type { ErrandStep } from '../../app/all/errand-step.ts';
import type { Task } from '../../task/schema.ts';

type Other = Parameters<NonNullable<NonNullable<RunInput['all']>['onProgress']>>[0];

/** What happens to a task of a task directory, a packet or the board, whichever command runs it. */
export type OtherProgress = Pick<Other, 'layout' | 'id'> & { title?: string } & (
    | { kind: 'started' }
    /** `said`: what came of it, in a line. */
    | { kind: 'ended'; task?: Pick<Task, 'status'>; said?: string }
    | ErrandStep
  );
