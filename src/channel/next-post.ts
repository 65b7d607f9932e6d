import type { Post } from './outbox.ts';

const longestMs = 2 * 60 * 60_000;

export type Next = { kind: 'send'; post: Post } | { kind: 'wait'; until: number } | { kind: 'nothing' };

/**
 * What to send now. A group's messages go out in order, so one that has to be tried again holds up those behind it in
 * its group; one whose time has not come holds up nobody. `posts` are in order.
 */
export function nextPost(posts: readonly Post[], now: number): Next {
  const held = new Set<string>();
  let soonest = Infinity;
  for (const post of posts) {
    const { group, after = 0, nextAt = 0 } = post.value;
    if (held.has(group)) continue;
    // Nobody waits longer than that for a next try: the clock was set back.
    const due = Math.max(after, nextAt > now + longestMs ? 0 : nextAt);
    if (due <= now) return { kind: 'send', post };
    soonest = Math.min(soonest, due);
    if (after <= now) held.add(group);
  }
  return soonest === Infinity ? { kind: 'nothing' } : { kind: 'wait', until: soonest };
}
