import type { RunInput } from '../../app.ts';
import { usage } from './args.ts';
import type { Context } from './context.ts';
import { nameOf } from './name.ts';

type Progress = Parameters<NonNullable<RunInput['onProgress']>>[0];
type Other = Parameters<NonNullable<NonNullable<RunInput['all']>['onProgress']>>[0];

/** With --json --stream what happens comes line by line, before the answer. Undefined: nobody asked for it. */
export function streamFor({ args, globals, out, world }: Context, command: string) {
  if (!args.options.has('stream')) return undefined;
  if (!globals.json) throw usage('--stream is about --json', 'add --json, or leave it out', command);
  const line = (fields: object) => out.line({ v: 1, at: new Date(world.now()).toISOString(), ...fields });
  return {
    tell({ task, ...what }: Progress): void {
      line({ layout: 'queue', id: task.id, name: nameOf(task), status: task.status, ...what });
    },
    tellOther(progress: Other): void {
      if (progress.kind !== 'ended') return line({ name: progress.id, ...progress });
      const { task, ...what } = progress;
      line({ name: what.id, ...(task && { status: task.status }), ...what });
    },
  };
}
