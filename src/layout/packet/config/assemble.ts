import { parseStage, tools, type Tool } from '../stages.ts';
import { mergePipelines, mergeServants, type PacketConfig, type Problem } from './merge.ts';
import { readPipeline, type PipelineLayer } from './pipeline.ts';
import { readServant, type ServantLayer } from './servant.ts';
import { groups, type Group } from './words.ts';

/** A file of the configuration. `source` is what people call it. */
export type ConfigFile = { source: string; text: string } & ({ tool: Tool } | { group: Group });

/** The configuration that files make together, later ones over earlier ones, or all that is wrong with them. */
export function assemble(files: readonly ConfigFile[]): { config: PacketConfig } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const servantLayers: ServantLayer[] = [];
  const pipelineLayers: PipelineLayer[] = [];
  for (const file of files) {
    const { source, text } = file;
    const read =
      'tool' in file ? readServant(text, file.tool, source) : readPipeline(text, file.group, source);
    if ('wrongs' in read) {
      for (const { message, fix, line, column } of read.wrongs)
        problems.push({ where: `${source}:${line}:${column}`, message, fix });
    } else if ('tool' in read.layer) servantLayers.push(read.layer);
    else pipelineLayers.push(read.layer);
  }
  if (problems.length > 0) return { problems };
  const config = {
    servants: mergeServants(servantLayers, problems),
    pipelines: mergePipelines(pipelineLayers, problems),
  };
  if (problems.length === 0) problems.push(...modelProblems(config), ...profileProblems(config));
  return problems.length > 0 ? { problems } : { config };
}

/** Models may come from one file and what is allowed from another, so this is asked of the whole. */
function modelProblems({ servants, pipelines }: PacketConfig): Problem[] {
  const named = tools.flatMap((tool) => {
    const { default_model, purpose_models, sources } = servants[tool];
    return [
      { tool, model: default_model, where: `${sources['default_model']} default_model` },
      ...Object.entries(purpose_models).map(([purpose, model]) => ({
        tool,
        model,
        where: `${sources['purpose_models']} purpose_models.${purpose}`,
      })),
    ];
  });
  const staged = groups.flatMap((group) =>
    Object.entries(pipelines[group].profiles).flatMap(([name, { stage_models }]) =>
      Object.entries(stage_models).map(([stage, model]) => ({
        tool: parseStage(stage)?.tool as Tool,
        model,
        where: `${pipelines[group].sources[`profiles.${name}`]} profiles.${name}.stage_models.${stage}`,
      })),
    ),
  );
  return [...named, ...staged].flatMap(({ tool, model, where }) => disallowed(servants, tool, model, where));
}

/** What is to be said about a model that may not be used. */
export function disallowed(
  servants: PacketConfig['servants'],
  tool: Tool,
  model: string,
  where: string,
): Problem[] {
  const { allowed_models, sources } = servants[tool];
  if (allowed_models.includes(model)) return [];
  const fix = `Write one of ${allowed_models.join(', ')}, or add it to allowed_models (${sources['allowed_models']}).`;
  return [{ where, message: `${JSON.stringify(model)} is no allowed model of ${tool}`, fix }];
}

function profileProblems({ pipelines }: PacketConfig): Problem[] {
  const lost = groups.flatMap((group) => {
    const { default_profile, profiles, sources } = pipelines[group];
    if (Object.hasOwn(profiles, default_profile)) return [];
    const message = `default_profile ${JSON.stringify(default_profile)} is no profile of this group`;
    const fix = `Write one of ${Object.keys(profiles).join(', ')}.`;
    return [{ where: `${sources['default_profile']} default_profile`, message, fix }];
  });
  const { impl, review } = pipelines;
  const twice = Object.keys(review.profiles).filter((name) => Object.hasOwn(impl.profiles, name));
  const doubled = twice.map((name) => ({
    where: `${review.sources[`profiles.${name}`]} profiles.${name}`,
    message: `The profile ${name} is also one of ${impl.sources[`profiles.${name}`]}`,
    fix: 'Give one of them another name: an intent names a profile of either file.',
  }));
  return [...lost, ...doubled];
}
