import type { Attempt } from '../../../task/attempt.ts';
import type { Step } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { isNative, nativeAdapter } from './adapter.ts';
import { homeInstance } from './home.ts';
import { statusWord } from './words.ts';

/** `session.json`: which conversation of which vendor this is. Paths are from the agent's folder. */
export function sessionFile(task: Task, step: Step, attempt: Attempt): string {
  const adapter = nativeAdapter(attempt);
  const fork = step.session?.kind === 'fork' ? step.session.id : undefined;
  return json({
    adapter,
    instance: step.id,
    agent: step.role,
    state: statusWord(task, step.id),
    startedAt: attempt.startedAt,
    attempts: attempt.n,
    vendorSession: {
      tool: isNative(adapter) ? 'codex' : attempt.adapter,
      threadId: attempt.session ?? null,
      // From the order, not from the attempt: no retry or resume can lose it.
      ...(fork !== undefined && { forkedFromThreadId: fork }),
      cwd: step.cwd ?? '.',
      ...(isNative(adapter) && homeOf(task, step)),
    },
    recording: {
      events: './runtime/events.jsonl',
      stderr: './runtime/stderr.log',
      ...(adapter === 'codex-app-server' && { requests: './runtime/requests.jsonl' }),
    },
  });
}

/** None: it works in the user's own. */
function homeOf(task: Task, { id }: Step): { codexHome?: string } {
  const owner = homeInstance(task, id);
  if (owner === undefined) return {};
  return { codexHome: owner === id ? './codex_home' : `../${owner}/codex_home` };
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
