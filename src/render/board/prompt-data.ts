import { clip } from '../../report/clip.ts';

/** A line of the board's log. */
export interface PastEvent {
  at: string;
  actor: string;
  type: string;
  messageType: string;
  payload: Readonly<Record<string, unknown>>;
}

/** Of an event only this is told. `reason` is why a task was blocked. */
const kept = ['from', 'to', 'owner', 'result', 'reason', 'blockedReason', 'review', 'relatedTo', 'title'];
const longestValue = 120;

export function trimmedEvent({ at, actor, type, messageType, payload }: PastEvent): object {
  const told = kept.flatMap((key) => {
    const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
    return typeof value === 'string' ? [[key, shortened(value, longestValue)] as const] : [];
  });
  return {
    at,
    actor: shortened(actor, 64),
    type: shortened(type, 64),
    messageType: shortened(messageType, 16),
    payload: Object.fromEntries(told),
  };
}

/** What breaks lines, hides, or turns the direction of writing. */
const unseen = /[\p{Cc}\p{Cs}\p{Bidi_C}\p{Zl}\p{Zp}\s]+/gu;

/** On one line, and no longer than this. */
export function shortened<T extends string | null>(text: T, max: number): T | string {
  return text === null
    ? text
    : clip(
        text
          .slice(0, 8 * max)
          .replaceAll(unseen, ' ')
          .trim(),
        max,
      );
}
