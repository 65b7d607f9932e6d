import { priceless } from '../../engine/admission.ts';
import { shellWord } from '../../errors/shell-word.ts';
import { agentNamed, knownAgents } from '../../settings/agents.ts';
import { holdsFor } from '../../settings/limits.ts';
import { knownProject } from '../../settings/project-id.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { spending } from '../money/spending.ts';
import { ok, problem, type Check, type Seen } from './check.ts';
import { openSetting } from './remedy.ts';

export const spendingChecks: readonly Check[] = [
  { name: 'limits', look: limits },
  { name: 'budgets', look: budgets },
];

function limits(where: Project): Seen[] {
  const parked = spending(where).limits();
  if (parked.length === 0) return [ok('no provider is at a limit')];
  return parked.map(({ provider, until, reason }) =>
    problem('warn', `${provider} is left alone until ${until}: ${reason}`, {
      fix: 'wait, or say that it can be asked again',
      command: `docket limits open ${shellWord(provider)}`,
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
