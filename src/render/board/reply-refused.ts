import { clip } from './clip.ts';
import { labelOf } from './notice.ts';
import type { Refused } from './outcome.ts';
import type { Words } from './words-type.ts';

/** What was not done, why, and what is possible instead. */
export function refusalReply(refused: Refused, words: Words): string {
  const { code, intent, taskId, status, allowed = [] } = refused;
  if (code === 'not_found') return `[TASK] ${words.notFound(clip(taskId ?? '', 60))}`;
  const verb = (name: string): string => words.verbs[name] ?? clip(name, 40);
  const parts = [
    ...(taskId === undefined ? [] : [clip(taskId, 60)]),
    ...(status === undefined ? [] : [`${words.state}=${labelOf(status, words)}`]),
    words.refused(verb(intent)),
  ];
  return [
    `[TASK] ${parts.join(' | ')}`,
    words.why[code](shown(refused)).trim(),
    ...(allowed.length === 0 ? [] : [words.allowed(allowed.map(verb).join(words.comma))]),
  ].join('\n');
}

/** Names and sentences from elsewhere, made harmless and short. */
function shown(refused: Refused): Refused {
  const { taskId, holder, until, detail } = refused;
  return {
    ...refused,
    ...(taskId === undefined ? {} : { taskId: clip(taskId, 60) }),
    ...(holder === undefined ? {} : { holder: clip(holder, 60) }),
    ...(until === undefined ? {} : { until: clip(until, 40) }),
    ...(detail === undefined ? {} : { detail: clip(detail, 160) }),
  };
}
