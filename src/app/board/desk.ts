import path from 'node:path';
import { makeDir } from '../../io/files.ts';
import { readTextFile } from '../../io/text-file.ts';
import { boardLayout } from '../../layout/board/layout.ts';
import { ownFolder } from '../../layout/board/places.ts';
import { policyOf, type AcceptancePolicy } from '../../layout/board/policy-file.ts';
import { protocolOf, type Protocol } from '../../layout/board/protocol-file.ts';
import type { FileBackend } from '../../store/file-backend.ts';
import { withOne, type Where } from '../one-store.ts';

/** A board and the rules that hold on it. */
export interface Desk {
  where: Where;
  /** docket's own folder of it. */
  dir: string;
  policy: AcceptancePolicy;
  protocol: Protocol;
}

const longestFile = 1024 * 1024;

/** The rules of a board: the project's over the shipped ones. A file that is wrong is an error, not a default. */
export function deskAt(where: Where): Desk {
  const { root } = where;
  const policies = ['config/acceptance-policy.json', 'state/acceptance-policy.json'].flatMap((name) => {
    const text = readTextFile(path.join(root, name), longestFile);
    return text === undefined ? [] : [{ file: name, text }];
  });
  const protocol = readTextFile(path.join(root, 'docs/protocol-config.json'), longestFile);
  return {
    where,
    dir: path.join(root, ownFolder),
    policy: policyOf(policies),
    protocol: protocolOf(protocol),
  };
}

export function withBoard<T>({ where, dir }: Desk, use: (store: FileBackend) => Promise<T>): Promise<T> {
  makeDir(path.join(where.root, 'state'));
  const place = { id: 'board', dir: where.root, own: dir };
  return withOne(where, place, boardLayout, use);
}
