import type { Outbox, Post } from './outbox.ts';

export interface Digest {
  /** When more than so many wait for a group they become one message. */
  over: number;
  render(texts: readonly string[]): string;
}

/**
 * Makes one message of many that wait for the same group. The digest is on disk before those that it stands for are
 * put away, and names them: killed in between, the next run finishes it, and nothing is told twice. True: look again.
 */
export function foldMany(outbox: Outbox, posts: readonly Post[], digest: Digest, now: number): boolean {
  let folded = false;
  const open = posts.filter((post) => canFold(post, now));
  for (const group of new Set(open.map((post) => post.value.group))) {
    const many = open.filter((post) => post.value.group === group);
    const [first] = many;
    if (!first || many.length <= digest.over) continue;
    const texts = many.map(({ value }) => (value.content.kind === 'text' ? value.content.text : ''));
    const covers = many.map((post) => post.name);
    const content = { kind: 'text' as const, text: digest.render(texts) };
    outbox.spool.insertAt(first, `digest:${first.key}`, { group, content, tries: 0, whole: true, covers });
    for (const post of many) outbox.spool.finish(post, 'done');
    folded = true;
  }
  return folded;
}

function canFold({ value }: Post, now: number): boolean {
  return value.content.kind === 'text' && !value.whole && value.tries === 0 && (value.after ?? 0) <= now;
}

/** What a digest stands for that was made before a crash. True: look again. */
export function putAwayCovered(outbox: Outbox, posts: readonly Post[]): boolean {
  const covered = new Set(posts.flatMap((post) => post.value.covers ?? []));
  const left = posts.filter((post) => covered.has(post.name));
  for (const post of left) outbox.spool.finish(post, 'done');
  return left.length > 0;
}
