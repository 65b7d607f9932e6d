import { DocketError } from '../../errors.ts';
import type { Kind, KindStore } from '../../kinds/kind.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { Finding } from '../../store/store.ts';
import { viewOf } from '../../store/view.ts';
import { validatePath } from '../check/validate.ts';
import { kinds, storesIn } from '../tasks/kinds.ts';
import { ok, seen, type Check, type Seen } from './check.ts';
import { fromRoot } from './remedy.ts';

type NamedStore = KindStore & { kind: Kind };

export const storeChecks: readonly Check[] = [{ name: 'tasks', look: allStores }];

/** People's files and docket's journals, of all layouts. */
async function allStores(where: Project): Promise<Seen[]> {
  const { root, env } = where;
  const stores = storesIn(root);
  const found = await validatePath(root, env);
  for (const store of stores) found.push(...(await findingsOf(store, where)));
  const told = found.map((finding) => seen({ ...finding, path: fromRoot(root, finding.path) }));
  if (told.length > 0) return told;
  return [ok(stores.length === 0 ? 'there are no tasks yet' : `${counted(stores)} can be read`)];
}

async function findingsOf({ kind, name, store }: NamedStore, where: Project): Promise<readonly Finding[]> {
  try {
    if (kind.check) return await kind.check(where, { store });
    const { tasks, findings } = await viewOf(openReader(store, where.clock), { whole: true });
    if (kind.mayBeEmpty || tasks.length > 0 || findings.length > 0) return findings;
    const fix = `docket ${kind.name} validate ${name}`;
    return [{ severity: 'warning', path: store.root, message: 'the folder holds no task', fix }];
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const { path: file, line } = error.data as { path?: string; line?: number };
    const at = { path: file ?? store.dir, ...(line !== undefined && { line }) };
    return [{ severity: 'error', ...at, message: error.message.replace(/^\S+:\d+: /, ''), fix: error.fix }];
  }
}

function counted(stores: readonly NamedStore[]): string {
  const parts = kinds.map((kind) => kind.count(stores.filter((one) => one.kind === kind).length));
  return parts.filter((part) => part !== '').join(', ');
}
