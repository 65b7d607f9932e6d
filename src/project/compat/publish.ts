import type { Told } from '../../kinds/board/told.ts';
import type { Answer } from './engine.ts';
import type { Poster } from './post.ts';

/** What the original says of the milestones that a command made. */
export function publish(
  notices: readonly Told[],
  poster: Poster,
  speaker = 'orchestrator',
  allowed: readonly string[] = ['orchestrator'],
): Answer {
  if (poster.options.mode === 'off') return skipped('mode=off');
  if (!allowed.includes(speaker)) return skipped(`actor not allowed to broadcast: ${speaker}`);
  if (notices.length === 0) return skipped('no milestone message for intent');
  const results = notices.map((told) => ({ message: messageOf(told), send: poster.send(told) }));
  return { ok: true, count: results.length, results };
}

function messageOf({ text, taskId }: Told): { prefix: string; taskId: string; text: string } {
  return { prefix: /^\[[A-Z]+\]/.exec(text)?.[0] ?? '', taskId, text };
}

function skipped(reason: string): Answer {
  return { ok: true, skipped: true, reason };
}
