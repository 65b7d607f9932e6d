import type { ErrandStep } from '../../../project/all/errand-step.ts';
import type { RunInput } from '../../../project/docket.ts';
import type { Task } from '../../../task/schema.ts';
import { usage } from './args.ts';
import type { Context } from './context.ts';
import { nameOf } from './name.ts';

type Progress = Parameters<NonNullable<RunInput['onProgress']>>[0];
type Stream = NonNullable<ReturnType<typeof streamFor>>;

/** With --json --stream what happens comes line by line, before the answer. Undefined: nobody asked for it. */
export function streamFor({ args, globals, out, world }: Context, command: string) {
  if (!args.options.has('stream')) return undefined;
  if (!globals.json) throw usage('--stream is about --json', 'add --json, or leave it out', command);
  const line = (fields: object) => out.line({ v: 1, at: new Date(world.now()).toISOString(), ...fields });
  return {
    tell({ task, ...what }: Progress): void {
      line({ layout: 'queue', id: task.id, name: nameOf(task), status: task.status, ...what });
    },
    tellOther(progress: OtherProgress): void {
      if (progress.kind !== 'ended') return line({ name: progress.id, ...progress });
      const { task, said: _, ...what } = progress;
      line({ name: what.id, ...(task && { status: task.status }), ...what });
    },
  };
}

/** One task of another layout, from its beginning to its end. */
export async function streamed<R extends { task: Pick<Task, 'status'> }>(
  stream: Stream | undefined,
  about: Pick<OtherProgress, 'layout' | 'id'>,
  work: () => Promise<R>,
): Promise<R> {
  stream?.tellOther({ ...about, kind: 'started' });
  const ran = await work();
  stream?.tellOther({ ...about, kind: 'ended', task: ran.task });
  return ran;
}

type Other = Parameters<NonNullable<NonNullable<RunInput['all']>['onProgress']>>[0];

/** What happens to a task of a task directory, a packet or the board, whichever command runs it. */
export type OtherProgress = Pick<Other, 'layout' | 'id'> & { title?: string } & (
    | { kind: 'started' }
    /** `said`: what came of it, in a line. */
    | { kind: 'ended'; task?: Pick<Task, 'status'>; said?: string }
    | ErrandStep
  );
