import { DocketError } from '../../errors.ts';
import type { Project } from '../../settings/project.ts';
import { agentChecks } from './agents.ts';
import type { Check, DoctorFinding, Seen } from './check.ts';
import { gitChecks } from './git.ts';
import { leftoverChecks } from './leftovers.ts';
import { machineChecks } from './machine.ts';
import { fromRoot, mending, openSetting } from './remedy.ts';
import { settingsChecks } from './settings.ts';
import { spendingChecks } from './spending.ts';
import { storeChecks } from './stores.ts';

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
