import type { Task } from '../../task/schema.ts';

/** `default/implement on takt/fix-login`: workflow, the step it is at, and where its work is, as far as there is any. */
export function placeOf({ spec, run, status, extras }: Task): string {
  const isOver = status === 'done' || status === 'canceled';
  const step = isOver ? undefined : run?.steps.findLast(({ id }) => run.states[id] !== undefined)?.title;
  const where = [spec.workflow, step].filter((part) => part !== undefined).join('/');
  const { branch = extras['queue']?.['branch'], merged } = extras['queueRun'] ?? {};
  const into = typeof merged === 'object' && merged !== null && 'into' in merged ? merged['into'] : undefined;
  if (typeof into === 'string') return [where, `merged into ${into}`].filter(Boolean).join(' ');
  return [where, typeof branch === 'string' && branch !== '' && `on ${branch}`].filter(Boolean).join(' ');
}
