import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { areSettled, isMissing, stampLength, stampsOf, stampText } from '../../io/stamp.ts';
import { lazyQueueLayout } from '../../kinds/queue/format/file.ts';
import { callName } from '../../kinds/queue/format/record.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { Finding, StoreReader } from '../../store/store.ts';
import type { KindName } from '../../task/kind-names.ts';
import { goneIn } from './gone.ts';
import { sightOf, type Sight } from './sight.ts';
import type { ViewFinding } from './types.ts';

type Kind = 'queue' | 'board';
type Place = Pick<Project, 'root' | 'clock'>;

export interface StoreLook {
  /** Undefined: there is no such store, or it cannot be read. */
  sight: Sight | undefined;
  findings: ViewFinding[];
  /** While its files have these stamps, this holds: as long as nobody who was at work has died. */
  stamps?: string;
}

/** The journal, and docket's description of the store: without them there is none. Then people's file, and docket's note of it. */
const filesOf = {
  queue: [
    '.docket/queue/store.json',
    '.docket/queue/journal.jsonl',
    '.takt/tasks.yaml',
    '.docket/queue/projection.json',
  ],
  board: ['.docket/board/store.json', 'state/tasks.jsonl'],
} as const;

/** A store of many tasks. That it is damaged is a finding, and hides no other store. `before`: the last look of this process. */
export async function lookAtStore(kind: Kind, where: Place, before?: StoreLook): Promise<StoreLook> {
  const { root } = where;
  const now = Date.now();
  const files = filesOf[kind].map((file) => `${root}/${file}`);
  const seen = stampsOf(files);
  if (files.every((_, index) => isMissing(seen, index * stampLength)))
    return { sight: undefined, findings: [] };
  const stamps = stampText(seen);
  if (before?.stamps === stamps && (await goneIn(before.sight?.rows ?? [], 'running')).size === 0)
    return before;
  try {
    const store = await storeOf(kind, where);
    return await store.read({ overview: true }, (tasks, { findings, fromFile }) => ({
      sight: sightOf(kind, tasks, kind === 'queue' ? callName : ({ id }) => id),
      findings: findings.map((one) => inView(kind, root, one)),
      ...(!fromFile && findings.length === 0 && areSettled(seen, now) && { stamps }),
    }));
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const { message, fix, data } = error;
    const file = typeof data['path'] === 'string' ? data['path'] : storeFolder(root, kind);
    return {
      sight: undefined,
      findings: [{ layout: kind, path: path.relative(root, file), message, fix }],
    };
  }
}

export async function storeOf(kind: Kind, { root, clock }: Place): Promise<StoreReader> {
  const layout =
    kind === 'queue' ? lazyQueueLayout : (await import('../../kinds/board/format/log.ts')).lazyBoardLayout;
  return openReader({ root, dir: storeFolder(root, kind), layout }, clock);
}

function storeFolder(root: string, kind: Kind): string {
  return path.join(root, '.docket', kind);
}

/** With its place as people see it from the root. */
export function inView(
  layout: KindName,
  root: string,
  { path: file, line, message, fix, next }: Finding,
): ViewFinding {
  const place = path.isAbsolute(file) ? path.relative(root, file) : file;
  return {
    layout,
    path: line === undefined ? place : `${place}:${line}`,
    message,
    fix,
    ...(next && { next }),
  };
}
