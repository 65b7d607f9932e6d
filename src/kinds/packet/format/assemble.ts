import { mergePipelines, mergeServants, type PacketConfig, type Problem } from './merge.ts';
import { readPipeline, type PipelineLayer } from './pipeline.ts';
import { readServant, type ServantLayer } from './servant.ts';
import { tools, type Tool } from './stages.ts';
import type { Group } from './words.ts';

/** A file of the configuration. `source` is what people call it. */
export type ConfigFile = { source: string; text: string } & ({ tool: Tool } | { group: Group });

interface Assembled {
  config: PacketConfig;
  /** Errors in files that no packet runs from: a plan pipeline, whose profiles are not used. */
  unused: Problem[];
}

/** The configuration that files make together, later ones over earlier ones, or all that is wrong with them. */
export function assemble(files: readonly ConfigFile[]): Assembled | { problems: Problem[] } {
  const problems: Problem[] = [];
  const unused: Problem[] = [];
  const servantLayers: ServantLayer[] = [];
  const pipelineLayers: PipelineLayer[] = [];
  for (const file of files) {
    const { source, text } = file;
    const read =
      'tool' in file ? readServant(text, file.tool, source) : readPipeline(text, file.group, source);
    if ('wrongs' in read) {
      const into = 'group' in file && file.group === 'plan' ? unused : problems;
      for (const { message, fix, line, column } of read.wrongs)
        into.push({ where: `${source}:${line}:${column}`, message, fix });
    } else if ('tool' in read.layer) servantLayers.push(read.layer);
    else pipelineLayers.push(read.layer);
  }
  if (problems.length > 0) return { problems };
  const config = {
    servants: mergeServants(servantLayers, problems),
    pipelines: mergePipelines(pipelineLayers, problems),
  };
  if (problems.length === 0) problems.push(...modelProblems(config), ...profileProblems(config));
  unused.push(...lostDefault(config, 'plan'));
  return problems.length > 0 ? { problems } : { config, unused };
}

/** Models may come from one file and allowed_models from another, so the merged files are checked. */
function modelProblems({ servants }: PacketConfig): Problem[] {
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
  return named.flatMap(({ tool, model, where }) => disallowed(servants, tool, model, where));
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

function lostDefault({ pipelines }: PacketConfig, group: Group): Problem[] {
  const { default_profile, profiles, sources } = pipelines[group];
  if (Object.hasOwn(profiles, default_profile)) return [];
  const message = `default_profile ${JSON.stringify(default_profile)} is no profile of this group`;
  const fix = `Write one of ${Object.keys(profiles).join(', ')}.`;
  return [{ where: `${sources['default_profile']} default_profile`, message, fix }];
}

function profileProblems(config: PacketConfig): Problem[] {
  const lost = [...lostDefault(config, 'impl'), ...lostDefault(config, 'review')];
  const { impl, review } = config.pipelines;
  const twice = Object.keys(review.profiles).filter((name) => Object.hasOwn(impl.profiles, name));
  const doubled = twice.map((name) => ({
    where: `${review.sources[`profiles.${name}`]} profiles.${name}`,
    message: `The profile ${name} is also one of ${impl.sources[`profiles.${name}`]}`,
    fix: 'Give one of them another name: an intent names a profile of either file.',
  }));
  return [...lost, ...doubled];
}
