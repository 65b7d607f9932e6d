import { installCommand, isVendor } from '../../adapters/adapters.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { tools } from '../../kinds/packet/format/stages.ts';
import { assertKnownAgent } from '../../settings/agents.ts';
import { readConfig } from '../../settings/read-config.ts';
import { listAgents, type AgentInfo } from '../agents/list-agents.ts';

/** Who does the work in a demonstration, and the settings that make it so. */
export interface Actor {
  readonly name: string;
  readonly isScripted: boolean;
  /** The first lines of `.docket/config.yaml`. */
  readonly settings: string;
}

type Where = { root: string; env: Readonly<Record<string, string | undefined>> };

const play = '{ adapter: script, command: [./.docket/scenario.yaml] }';
/** Packets name their stages after tools, so one agent plays this one, too. */
const [tool] = tools;
const scripted: Actor = {
  name: 'scripted',
  isScripted: true,
  settings: `defaultAgent: scripted\nagents:\n  scripted: ${play}\n  ${tool}: ${play}\n`,
};

/** The scripted one, or an agent of the user's that is installed and logged in. No call is spent. */
export async function actorNamed(name: string | undefined, where: Where): Promise<Actor> {
  if (name === undefined) return scripted;
  const settings = assertKnownAgent(name, await readConfig(where.root, where.env));
  const info = (await listAgents(where)).find((each) => each.name === name);
  const missing = info && (await missingFor(info));
  if (missing) throw missing;
  const others = name === tool ? '' : `agents:\n  ${tool}: ${JSON.stringify(settings)}\n`;
  return { name, isScripted: false, settings: `defaultAgent: ${JSON.stringify(name)}\n${others}` };
}

async function missingFor({
  name,
  adapter,
  found,
  login,
  problem,
}: AgentInfo): Promise<DocketError | undefined> {
  const without = 'or leave --agent out: the scripted agent needs nothing';
  if (!found) {
    const how = isVendor(adapter) ? await installCommand(adapter) : 'mend agents in your settings';
    const message = `the agent ${name} is not installed here${problem === undefined ? '' : `: ${problem}`}`;
    return new DocketError('NOT_FOUND', message, fix`${how}, then ${command`agents`}; ${without}`, {
      agent: name,
    });
  }
  if (login !== 'no') return undefined;
  const todo = fix`start ${adapter} once and log in, then ${command`agents`}; ${without}`;
  return new DocketError('NEEDS_PERSON', `the agent ${name} is installed, but nobody is logged in`, todo, {
    agent: name,
  });
}
