import type { Config } from '../../config.ts';
import { DocketError } from '../../errors.ts';
import { parseStage } from '../../layout/packet/stages.ts';
import type { Finding } from '../../store/backend.ts';
import { agentNamed, assertThere } from '../agents.ts';
import type { Where } from '../one-store.ts';

/** What keeps the agents of these stages from being started. Nobody is to pay for a first stage that a later one wastes. */
export async function missingPrograms(
  stages: readonly string[],
  config: Config,
  where: Where,
): Promise<Finding[]> {
  const toolOf = (stage: string) => parseStage(stage)?.tool ?? '';
  const findings: Finding[] = [];
  for (const tool of new Set(stages.map(toolOf))) {
    try {
      assertThere(await agentNamed(tool, config, where), where);
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      const itsStages = stages.filter((stage) => toolOf(stage) === tool).join(', ');
      const message = `${tool}, for ${itsStages}: ${error.message}`;
      findings.push({ severity: 'error', path: '.docket/config.yaml', message, fix: error.fix });
    }
  }
  return findings;
}
