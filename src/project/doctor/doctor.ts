import { priceless } from '../../engine/admission.ts';
import { DocketError } from '../../errors.ts';
import { command } from '../../errors/command.ts';
import type { Kind, KindStore } from '../../kinds/kind.ts';
import { agentNamed, knownAgents } from '../../settings/agents.ts';
import { holdsFor } from '../../settings/limits.ts';
import { knownProject } from '../../settings/project-id.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { openReader } from '../../store/open/open.ts';
import type { Finding } from '../../store/store.ts';
import { viewOf } from '../../store/view.ts';
import { validatePath } from '../check/validate.ts';
import { spending } from '../money/spending.ts';
import { kinds, storesIn } from '../tasks/kinds.ts';
import { agentChecks } from './agents.ts';
import { type Check, type DoctorFinding, ok, problem, type Seen, seen } from './check.ts';
import { gitChecks } from './git.ts';
import { leftoverChecks } from './leftovers.ts';
import { machineChecks } from './machine.ts';
import { fromRoot, mending, openSetting } from './remedy.ts';
import { settingsChecks } from './settings.ts';

const spendingChecks: readonly Check[] = [
  { name: 'limits', look: limits },
  { name: 'budgets', look: budgets },
];

function limits(where: Project): Seen[] {
  const parked = spending(where).limits();
  if (parked.length === 0) return [ok('no provider is at a limit')];
  return parked.map(({ provider, until, reason }) =>
    problem('warn', `${provider} is left alone until ${until}: ${reason}`, {
      fix: 'wait, or say that it can be asked again',
      command: String(command`limits open ${provider}`),
    }),
  );
}

/** A cap on money that nobody can hold blocks every task of that agent. */
async function budgets(where: Project): Promise<Seen[]> {
  const { root, env } = where;
  const config = await readConfig(root, env);
  const holds = holdsFor(where, config, knownProject(where.root));
  const named = [config.defaultAgent, ...Object.keys(config.agents)].flatMap((name) => name ?? []);
  const seen: Seen[] = [];
  for (const name of new Set(named)) {
    if (!knownAgents(config).has(name)) continue;
    const held = priceless(holds, await agentNamed(name, config, { root, env }));
    if (held)
      seen.push(
        problem('bad', `${name} cannot work: money is capped, and nobody knows its price`, {
          where: 'budgets',
          fix: held.text,
          command: await openSetting(where, 'budgets'),
        }),
      );
  }
  return seen.length > 0 ? seen : [ok('every budget can be held')];
}

type NamedStore = KindStore & { kind: Kind };

const storeChecks: readonly Check[] = [{ name: 'tasks', look: allStores }];

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
    if (kind.holdsMany || tasks.length > 0 || findings.length > 0) return findings;
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

export interface DoctorInput {
  /** Hears the name of a check before it looks. */
  onCheck?: (name: string) => void;
}

const checks: readonly Check[] = [
  ...machineChecks,
  ...gitChecks,
  ...settingsChecks,
  ...agentChecks,
  ...spendingChecks,
  ...storeChecks,
  ...leftoverChecks,
];

/** Looks at everything, whatever one of the checks meets, and changes nothing. */
export async function examine(where: Project, { onCheck }: DoctorInput): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const told = new Set<string>();
  for (const { name, look } of checks) {
    onCheck?.(name);
    for (const seen of await lookSafely(look, where)) {
      // What several checks stumble over is one thing.
      const key = seen.state === 'ok' ? '' : seen.what;
      if (key !== '' && told.has(key)) continue;
      told.add(key);
      findings.push({ check: name, ...seen });
    }
  }
  return findings;
}

async function lookSafely(look: Check['look'], where: Project): Promise<readonly Seen[]> {
  try {
    return await look(where);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const { code, fix, data } = error;
    const { path, line, column } = data as { path?: string; line?: number; column?: number };
    const place = [path, line, column].filter((part) => part !== undefined).join(':');
    // Its place is told beside it.
    const what =
      place !== '' && error.message.startsWith(`${place}: `)
        ? error.message.slice(place.length + 2)
        : error.message;
    const file = path === undefined ? undefined : fromRoot(where.root, path);
    const command = mending({ code, fix, path: file, line }) ?? (await openSetting(where));
    return [{ state: 'bad', what, fix, command, ...(place !== '' && { where: place }) }];
  }
}
