import type { Content } from '../../channel/channel.ts';
import type { Outbox, Posting } from '../../channel/outbox.ts';
import type { Clock } from '../../io/clock.ts';
import type { Board } from '../../kinds/board/board.ts';
import type { FollowInput } from '../../kinds/board/follow.ts';
import { lookAtBoard } from '../../kinds/board/look.ts';
import type { Told } from '../../kinds/board/told.ts';
import { readCursor, writeCursor } from './chat-state.ts';

export interface FollowOptions {
  board: Board;
  where: { root: string; clock: Clock };
  outbox: Outbox;
  /** Who is told. */
  group: string;
  how: Omit<FollowInput, 'after'>;
  /** Resolves when nobody is about to tell the same in the words of who asked for it. */
  quiet: () => Promise<void>;
  onTold: (told: Told) => void;
}

/**
 * Tells a group what happens on the board, whoever made it happen: reads the log on from where it was and puts what is
 * to be told into the outbox, under keys that are the log's own. Killed anywhere, everything is told and nothing twice.
 */
export async function follow({
  board,
  where,
  outbox,
  group,
  how,
  quiet,
  onTold,
}: FollowOptions): Promise<void> {
  const after = await startOf(where, group);
  for await (const { seq, told } of board.follow({ ...how, after })) {
    if (told.length === 0) continue;
    await quiet();
    await outbox.enqueue(told.map((one) => postingOf(one, group)));
    writeCursor(where.root, { seq, group });
    for (const one of told) onTold(one);
  }
}

/** The past of a board is not news: the first time it begins at the end of the log, and that is written down at once. */
async function startOf({ root, clock }: { root: string; clock: Clock }, group: string): Promise<number> {
  const known = readCursor(root);
  const { seq: end } = await lookAtBoard({ root, clock });
  // A log that is shorter than what was told is another one.
  const seq = known !== undefined && known.seq <= end ? known.seq : end;
  if (known?.seq !== seq || known.group !== group) writeCursor(root, { seq, group });
  return seq;
}

export function postingOf({ key, text, card }: Told, group: string): Posting {
  const content: Content = card ? { kind: 'card', card } : { kind: 'text', text };
  return { key, group, content };
}
