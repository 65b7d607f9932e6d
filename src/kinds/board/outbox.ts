import path from 'node:path';
import { Inbox } from '../../channel/inbox.ts';
import { Outbox } from '../../channel/outbox.ts';
import type { Clock } from '../../io/clock.ts';
import { bestLockKind, type LockKind } from '../../io/lock.ts';
import { ignoreOwn, makeOwnFolder } from '../../io/own-folder.ts';
import type { Masker } from '../../render/masker.ts';

/** A board's mail: what it was told and what it has to tell, in `.docket/board/inbox` and `.docket/board/outbox`. */
export function boardMail(
  root: string,
  options: { lock?: LockKind; clock?: Clock; masker?: Pick<Masker, 'text' | 'value'> } = {},
): { inbox: Inbox; outbox: Outbox } {
  const { lock = bestLockKind(), clock, masker } = options;
  const base = makeOwnFolder(root, '.docket', 'board');
  ignoreOwn(path.dirname(base));
  return {
    inbox: new Inbox(base, lock, clock, masker?.text),
    outbox: new Outbox(base, lock, masker && ((content) => masker.value(content))),
  };
}
