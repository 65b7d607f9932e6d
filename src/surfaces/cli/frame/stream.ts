import type { OnProgress, Progress } from '../../../engine/progress.ts';
import { usage } from './args.ts';
import type { Context } from './context.ts';

/** With --json --stream what happens comes line by line, before the answer. Undefined: nobody asked for it. */
export function streamFor(
  { args, globals, out, world }: Context,
  command: string,
): { tell: OnProgress } | undefined {
  if (!args.options.has('stream')) return undefined;
  if (!globals.json) throw usage('--stream is about --json', 'add --json, or leave it out', command);
  const agents = new Map<string, string>();
  return {
    tell(progress) {
      const { kind, id, name } = progress.ref;
      const key = `${kind} ${id}`;
      if ('agent' in progress) agents.set(key, progress.agent);
      const agent = agents.get(key);
      const at = new Date(world.now()).toISOString();
      out.line({ v: 1, at, layout: kind, id, name, ...(agent && { agent }), ...lineOf(progress) });
    },
  };
}

function lineOf(progress: Progress): object {
  const { kind } = progress;
  if (kind === 'started') return { status: 'running', kind, title: progress.ref.title };
  if (kind === 'ended')
    return { ...(progress.task && { status: progress.task.status }), kind, title: progress.ref.title };
  const { step, title } = progress;
  const about = { status: 'running', kind, step };
  if (kind === 'step') return { ...about, title, attempt: progress.attempt };
  if (kind === 'event') return { ...about, attempt: progress.attempt, event: progress.event };
  return { ...about, title, state: progress.state, summary: progress.summary };
}
