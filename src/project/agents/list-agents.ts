import type { Adapter, Capabilities, Login, Permission } from '../../adapters/adapter.ts';
import { loadAdapter } from '../../adapters/adapters.ts';
import { DocketError } from '../../errors.ts';
import { findProgram } from '../../io/find-program.ts';
import { agentFrom, knownAgents } from '../../settings/agents.ts';
import type { AgentSettings } from '../../settings/config.ts';
import { readConfig } from '../../settings/read-config.ts';

export interface AgentInfo {
  name: string;
  adapter: string;
  /** The one that is used where nobody names another. */
  default: boolean;
  /** Whether its program is there to be started. */
  found: boolean;
  program?: string;
  version?: string;
  login: Login;
  permission?: Permission;
  model?: string;
  capabilities: Capabilities;
  /** Why it cannot be used as it is set. */
  problem?: string;
}

const versionMs = 10_000;

/** Asks the programs for their version and looks at files. No call is spent, nothing is written. */
export async function listAgents(where: {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
}): Promise<AgentInfo[]> {
  const { root, env } = where;
  const config = await readConfig(root, env);
  return Promise.all(
    [...knownAgents(config)].map(async ([name, settings]): Promise<AgentInfo> => {
      const adapter = await loadAdapter(settings.adapter);
      const { capabilities } = adapter;
      const base = { name, adapter: adapter.name, default: config.defaultAgent === name, capabilities };
      try {
        const agent = agentFrom(name, settings, adapter, config, where);
        const login = adapter.login({
          env: { ...env, ...agent.env },
          ...(agent.home !== undefined && { home: agent.home }),
        });
        const { permission, model } = agent;
        const program = await programOf(settings, adapter, agent.command, where);
        return { ...base, ...program, login, permission, ...(model !== undefined && { model }) };
      } catch (error) {
        if (!(error instanceof DocketError)) throw error;
        return { ...base, found: false, login: 'unknown', problem: `${error.message} (${error.fix})` };
      }
    }),
  );
}

async function programOf(
  settings: AgentSettings,
  adapter: Adapter,
  command: readonly string[] | undefined,
  { root, env }: { root: string; env: Readonly<Record<string, string | undefined>> },
): Promise<Pick<AgentInfo, 'found' | 'program' | 'version' | 'problem'>> {
  if (adapter.name === 'script') return { found: true }; // docket itself runs it
  const wanted = command?.[0] ?? adapter.program;
  if (wanted === undefined) {
    return { found: false, problem: `the ${adapter.name} adapter needs a command: agents.<name>.command` };
  }
  const program = findProgram(wanted, env, root);
  if (program === undefined) return { found: false };
  // A vendor's CLI answers this without a call; of a command that somebody else wrote nobody knows what it would do.
  if (adapter.program === undefined) return { found: true, program };
  const [{ allowedEnv }, { shortRun }] = await Promise.all([
    import('../../io/process/environment.ts'),
    import('../../io/short-run.ts'),
  ]);
  const asked = [program, ...(settings.command?.slice(1) ?? []), '--version'];
  const said = await shortRun(asked, {
    env: allowedEnv(env, { pass: adapter.passEnv, cwd: root }),
    cwd: root,
    timeoutMs: versionMs,
  });
  const version = said.code === 0 ? /\d+\.\d+[\w.+-]*/.exec(said.stdout)?.[0] : undefined;
  if (version !== undefined) return { found: true, program, version };
  return {
    found: true,
    program,
    problem: `${program} --version gave no version within ${versionMs / 1000} s`,
  };
}

export { isVariant, suggestedInstall } from '../../settings/agents.ts';
