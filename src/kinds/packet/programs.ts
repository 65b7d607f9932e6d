import { vendorNames } from '../../adapters/adapters.ts';
import { DocketError } from '../../errors.ts';
import { agentNamed, assertThere } from '../../settings/agents.ts';
import type { Config } from '../../settings/config.ts';
import type { Project } from '../../settings/project.ts';
import type { Finding } from '../../store/store.ts';
import { parseStage, tools } from './format/stages.ts';

/** What keeps the agents of these stages from being started. Nobody is to pay for a first stage that a later one wastes. */
export async function missingPrograms(
  stages: readonly string[],
  config: Config,
  where: Project,
  manifest: string,
): Promise<Finding[]> {
  const toolOf = (stage: string) => parseStage(stage)?.tool ?? '';
  const findings: Finding[] = [];
  for (const tool of new Set(stages.map(toolOf))) {
    try {
      assertThere(await agentNamed(tool, config, where), where);
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      const itsStages = stages.filter((stage) => toolOf(stage) === tool).join(', ');
      const message = `the agent ${tool}, for ${itsStages}: ${error.message}`;
      // A vendor is known without a line of settings: then it is the packet that names it.
      const path = Object.hasOwn(config.agents, tool) ? '.docket/config.yaml' : manifest;
      findings.push({ severity: 'error', path, message, fix: `${error.fix}${otherFor(tool, config)}` });
    }
  }
  return findings;
}

/** Who does the stages of a tool where it is not the tool's own CLI: its model is not the tool's either. */
export async function playedBy(tool: string, config: Config, where: Project): Promise<string | undefined> {
  const { adapter, model } = await agentNamed(tool, config, where);
  return adapter.name === tool ? undefined : `${model ?? adapter.name} (plays ${tool})`;
}

/** It plays no stage under its own name, so it can be given another's. */
const otherVendor = vendorNames.find((name) => !(tools as readonly string[]).includes(name));

/** Stages go by the name of their tool, whoever is the default: another one can be given that name. */
function otherFor(tool: string, { agents, defaultAgent }: Config): string {
  const own = defaultAgent === undefined ? undefined : agents[defaultAgent];
  const { adapter, command } = own ?? { adapter: defaultAgent ?? otherVendor, command: undefined };
  if (tool === defaultAgent) return '';
  const settings = `adapter: ${adapter}${command === undefined ? '' : `, command: ${JSON.stringify(command)}`}`;
  return `; or let another play it, in .docket/config.yaml: agents: { ${tool}: { ${settings} } }; or stages of other tools: docs/formats/packet.md`;
}
