import path from 'node:path';
import { makeDir } from '../../io/files.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Project } from '../../settings/project.ts';
import type { Store } from '../../store/store.ts';
import type { Event } from '../../task/schema.ts';
import { ownFolder } from './format/places.ts';
import { policyOf, type AcceptancePolicy } from './format/policy-file.ts';
import { protocolOf, type Protocol } from './format/protocol.ts';
import { lookAtBoard, lookInto, type BoardLook, readBoard } from './look.ts';

/** A board and the rules that hold on it. */
export interface Desk {
  where: Project;
  /** docket's own folder of it. */
  dir: string;
  policy: AcceptancePolicy;
  protocol: Protocol;
  /** Kept open, for who has much to do. */
  store?: Store;
}

/** A board without its rules. */
type Place = Pick<Desk, 'where' | 'dir' | 'store'>;

const longestFile = 1024 * 1024;

/**
 * The rules of a board: the project's over the shipped ones. A file that is wrong is an error, not a default.
 * `fallback`: a folder whose policy lies between the two.
 */
export function deskAt(where: Project, fallback?: string): Desk {
  const { root } = where;
  const names = ['config/acceptance-policy.json', 'state/acceptance-policy.json'];
  const under = fallback === undefined ? [] : names.map((name) => path.resolve(fallback, name));
  const policies = [...under, ...names].flatMap((name) => {
    const text = readTextFile(path.resolve(root, name), longestFile);
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

/** The board open for writing: the one that is kept open, or for as long as this takes. */
export function withBoard<T>(desk: Place, use: (store: Store) => Promise<T>): Promise<T> {
  return desk.store ? use(desk.store) : opened(desk, use);
}

async function opened<T>({ where, dir }: Place, use: (store: Store) => Promise<T>): Promise<T> {
  makeDir(path.join(where.root, 'state'));
  // Who only looks is not to wait for what only writers need.
  const [{ boardLayout }, { withOne }] = await Promise.all([
    import('./format/layout.ts'),
    import('../one-store.ts'),
  ]);
  return withOne(where, { id: 'board', dir: where.root, own: dir }, boardLayout, use);
}

/** Opens the board once for many commands. Resolves to what closes it. */
export function keepOpen(desk: Desk): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const whole = opened(
      desk,
      (store) =>
        new Promise<void>((end) => {
          desk.store = store;
          resolve(() => {
            delete desk.store;
            end();
            return whole;
          });
        }),
    );
    whole.catch(reject);
  });
}

export function lookAt({ where, store }: Desk): Promise<BoardLook> {
  return store ? store.read({}, lookInto) : lookAtBoard(where);
}

/** The lines that were written down together, the first of which is this one. */
export function transactionAt(desk: Desk, seq: number): Promise<Event[]> {
  return linesUntil(desk, seq - 1, ({ more = 0 }) => more === 0);
}

/** What was written down about these tasks since that line, up to now. */
export async function linesSince(desk: Desk, after: number, ids: readonly string[]): Promise<Event[]> {
  const { seq } = await lookAt(desk);
  if (ids.length === 0 || seq <= after) return [];
  const lines = await linesUntil(desk, after, (event) => event.seq >= seq);
  return lines.filter(({ taskId }) => ids.includes(taskId));
}

async function linesUntil(
  { where }: Desk,
  after: number,
  isLast: (event: Event) => boolean,
): Promise<Event[]> {
  const enough = new AbortController();
  const lines: Event[] = [];
  for await (const event of readBoard(where).tail({ after, signal: enough.signal })) {
    lines.push(event);
    if (isLast(event)) enough.abort();
  }
  return lines;
}
