import type { Project } from '../../settings/project.ts';
import { readPacket } from './read.ts';
import { packetConfig, resolved } from './settings.ts';
import { manifestOf } from './view.ts';

type Sources = Readonly<Record<string, string>>;
type Effective = { value: unknown; sources: Sources };

/** What is in force: for one packet, stage by stage; else all that the configuration files say together. */
export async function effectiveConfig(where: Project, id: string | undefined): Promise<Effective> {
  if (id === undefined) {
    const { servants, pipelines } = packetConfig(where);
    return below({ servants: parted(servants), pipelines: parted(pipelines) });
  }
  const { sources, stages, ...value } = resolved(
    manifestOf((await readPacket(where, id)).task),
    where,
    undefined,
  );
  const byStage = Object.fromEntries(stages.map(({ stage, ...settings }) => [stage, settings]));
  return { value: { ...value, stages: byStage }, sources };
}

/** Values here, and where they come from there. */
function parted(parts: Readonly<Record<string, { sources: Sources }>>): Effective {
  return below(
    Object.fromEntries(
      Object.entries(parts).map(([name, { sources, ...value }]) => [name, { value, sources }]),
    ),
  );
}

/** Many as one, each below its name. */
function below(parts: Readonly<Record<string, Effective>>): Effective {
  const named = Object.entries(parts);
  const sources = named.flatMap(([name, part]) =>
    Object.entries(part.sources).map(([key, source]) => [`${name}.${key}`, source] as const),
  );
  return {
    value: Object.fromEntries(named.map(([name, { value }]) => [name, value])),
    sources: Object.fromEntries(sources),
  };
}
