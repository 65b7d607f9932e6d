import {
  type Pipeline,
  type PipelineLayer,
  type Profile,
  readPipeline,
  readServant,
  type Servant,
  type ServantLayer,
} from './config-files.ts';
import { type Tool, tools } from './stages.ts';
import { type Group, groups } from './words.ts';

export interface Problem {
  /** File, and line or key. */
  where: string;
  message: string;
  fix: string;
}

/** Which file each key comes from. */
type Sourced<T> = T & { sources: Readonly<Record<string, string>> };

export interface PacketConfig {
  servants: Readonly<Record<Tool, Sourced<Servant>>>;
  /** A profile's source stands under `profiles.<name>`. */
  pipelines: Readonly<Record<Group, Sourced<Pipeline>>>;
}

/**
 * One file over another: a key that the later one sets replaces the whole key, so that a complete file means the same
 * wherever it lies. Only profiles are taken by their names: who adds one keeps the others.
 */
function mergeServants(layers: readonly ServantLayer[], problems: Problem[]): Record<Tool, Sourced<Servant>> {
  return byName(tools, (tool) => {
    const own = layers.filter((layer) => layer.tool === tool);
    const sources = sourcesOf(own.map(({ source, values }) => ({ source, names: Object.keys(values) })));
    const none = { purpose_models: {}, purpose_efforts: {} };
    const merged: Servant = Object.assign({}, none, ...own.map(({ values }) => values));
    demand(
      `configs/servant/${tool}.yaml`,
      merged,
      ['default_model', 'allowed_models', 'wrapper_defaults'],
      problems,
    );
    return { ...merged, sources };
  });
}

function mergePipelines(
  layers: readonly PipelineLayer[],
  problems: Problem[],
): Record<Group, Sourced<Pipeline>> {
  return byName(groups, (group) => {
    const own = layers.filter((layer) => layer.group === group);
    const sources = sourcesOf(
      own.map(({ source, values: { profiles = {}, ...values } }) => ({
        source,
        names: [...Object.keys(values), ...Object.keys(profiles).map((name) => `profiles.${name}`)],
      })),
    );
    const merged: Pipeline = Object.assign({}, ...own.map(({ values }) => values));
    const profiles: Record<string, Profile> = Object.assign({}, ...own.map(({ values }) => values.profiles));
    demand(`configs/pipeline/${group}-pipeline.yaml`, merged, ['default_profile', 'profiles'], problems);
    return { ...merged, profiles, sources };
  });
}

function sourcesOf(files: readonly { source: string; names: string[] }[]): Record<string, string> {
  return Object.fromEntries(files.flatMap(({ source, names }) => names.map((name) => [name, source])));
}

function demand(where: string, merged: object, keys: readonly string[], problems: Problem[]): void {
  for (const key of keys.filter((name) => !Object.hasOwn(merged, name)))
    problems.push({ where, message: `${key} is set in no file`, fix: `Add "${key}:" to ${where}.` });
}

function byName<N extends string, T>(names: readonly N[], make: (name: N) => T): Record<N, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, T>;
}

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
