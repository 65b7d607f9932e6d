import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { fingerprint } from '../../io/files.ts';
import { queueFile } from '../../kinds/queue/format/file.ts';
import { callName } from '../../kinds/queue/format/record.ts';
import { readQuietLog, readQuietStore } from '../../store/file/quiet-reader.ts';
import type { StoreView } from '../../store/file/reader.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { ListQuery } from '../../store/store.ts';
import type { Where } from '../one-store.ts';
import { inView } from './finding.ts';
import { sightOfLedger, sightOfTasks, type Sight } from './sight.ts';
import type { ViewFinding } from './types.ts';

type Kind = 'queue' | 'board';
type Place = Pick<Where, 'root' | 'clock'>;

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
    if (kind === 'board') return quiet(sightOfLedger(kind, await boardLedger(where), ({ id }) => id));
    const found = await openQueue(where);
    if ('ledger' in found) return quiet(sightOfLedger(kind, found.ledger, callName));
    const { tasks, waits, findings } = found.view;
    const sight = sightOfTasks(kind, tasks, waits, callName);
    return {
      sight,
      findings: findings.map((one) => inView(kind, where.root, one)),
      isQuiet: isUntouched(where),
    };
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const { message, fix, data } = error;
    const file = typeof data['path'] === 'string' ? data['path'] : storeFolder(where.root, kind);
    const finding = { layout: kind, path: path.relative(where.root, file), message, fix };
    return { sight: undefined, findings: [finding], isQuiet: false };
  }
}

function quiet(sight: Sight): Whole {
  return { sight, findings: [], isQuiet: true };
}

/** The queue as it is now, without its layout where nobody has edited its file. */
export async function openQueue(
  where: Place,
  query: ListQuery = {},
): Promise<{ ledger: Ledger } | { view: StoreView }> {
  const { root, clock } = where;
  const dir = storeFolder(root, 'queue');
  const ledger = await readQuietStore({ root, dir, mirror: queueFile, clock });
  if (ledger) return { ledger };
  const [{ readStore }, { queueLayout }] = await Promise.all([
    import('../../store/file/reader.ts'),
    import('../../kinds/queue/format/layout.ts'),
  ]);
  return { view: readStore({ root, dir, layout: queueLayout, clock }, query) };
}

export async function boardLedger({ root, clock }: Place): Promise<Ledger> {
  const { log } = await import('../../kinds/board/format/log.ts');
  return readQuietLog({ root, dir: storeFolder(root, 'board'), log, clock });
}

/** docket has never written here: then what its file says is a function of the file alone. */
function isUntouched({ root }: Place): boolean {
  return fingerprint(storeFolder(root, 'queue')) === undefined;
}

function storeFolder(root: string, kind: Kind): string {
  return path.join(root, '.docket', kind);
}
