import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { fingerprint } from '../../io/files.ts';
import { lazyQueueLayout } from '../../kinds/queue/format/file.ts';
import { callName } from '../../kinds/queue/format/record.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { StoreReader } from '../../store/store.ts';
import { inView } from './finding.ts';
import { sightOf, type Sight } from './sight.ts';
import type { ViewFinding } from './types.ts';

type Kind = 'queue' | 'board';
type Place = Pick<Project, 'root' | 'clock'>;

interface Whole {
  /** Undefined: it cannot be read. */
  sight: Sight | undefined;
  findings: ViewFinding[];
  /** Nothing but the journal, and a file that is as docket left it, was needed. */
  isQuiet: boolean;
}

/** A store of many tasks. That it is damaged is a finding, and hides no other store. */
export async function readWhole(kind: Kind, where: Place): Promise<Whole> {
  try {
    const store = await storeOf(kind, where);
    return await store.read({}, (tasks, { findings, fromFile }) => ({
      sight: sightOf(kind, tasks, kind === 'queue' ? callName : ({ id }) => id),
      findings: findings.map((one) => inView(kind, where.root, one)),
      isQuiet: !fromFile || isUntouched(where),
    }));
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const { message, fix, data } = error;
    const file = typeof data['path'] === 'string' ? data['path'] : storeFolder(where.root, kind);
    const finding = { layout: kind, path: path.relative(where.root, file), message, fix };
    return { sight: undefined, findings: [finding], isQuiet: false };
  }
}

export async function storeOf(kind: Kind, { root, clock }: Place): Promise<StoreReader> {
  const layout =
    kind === 'queue' ? lazyQueueLayout : (await import('../../kinds/board/format/log.ts')).lazyBoardLayout;
  return openReader({ root, dir: storeFolder(root, kind), layout }, clock);
}

/** docket has never written here: then what its file says is a function of the file alone. */
function isUntouched({ root }: Place): boolean {
  return fingerprint(storeFolder(root, 'queue')) === undefined;
}

function storeFolder(root: string, kind: Kind): string {
  return path.join(root, '.docket', kind);
}
