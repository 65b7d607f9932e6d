import type { FileProblem } from '../../../schema/read.ts';
import { readPipeline, readServant, type Pipeline, type Profile, type Servant } from './config-files.ts';
import { tools, type Tool } from './stages.ts';
import { groups, type Group } from './words.ts';

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

/** A file of the configuration. `source` is what people call it. */
export type ConfigFile = { source: string; text: string } & ({ tool: Tool } | { group: Group });

interface Layer<T> {
  source: string;
  values: Partial<T>;
}

interface Assembled {
  config: PacketConfig;
  /** Errors in files that no packet runs from: a plan pipeline, whose profiles are not used. */
  unused: Problem[];
}

/** The configuration that files make together, later ones over earlier ones, or all that is wrong with them. */
export function assemble(files: readonly ConfigFile[]): Assembled | { problems: Problem[] } {
  const problems: Problem[] = [];
  const unused: Problem[] = [];
  const servants = byName(tools, (tool) => {
    const own = files.filter((file) => 'tool' in file && file.tool === tool);
    return layersOf(own, (text) => readServant(text, tool), problems);
  });
  const pipelines = byName(groups, (group) => {
    const own = files.filter((file) => 'group' in file && file.group === group);
    return layersOf(own, (text) => readPipeline(text, group), group === 'plan' ? unused : problems);
  });
  if (problems.length > 0) return { problems };
  const config = {
    servants: byName(tools, (tool) => mergeServants(tool, servants[tool], problems)),
    pipelines: byName(groups, (group) => mergePipelines(group, pipelines[group], problems)),
  };
  if (problems.length === 0) problems.push(...modelProblems(config), ...profileProblems(config));
  unused.push(...lostDefault(config, 'plan'));
  return problems.length > 0 ? { problems } : { config, unused };
}

function layersOf<T>(
  files: readonly ConfigFile[],
  read: (text: string) => { values: Partial<T> } | { problems: readonly FileProblem[] },
  wrongs: Problem[],
): Layer<T>[] {
  return files.flatMap(({ source, text }) => {
    const found = read(text);
    if ('values' in found) return [{ source, values: found.values }];
    for (const { message, fix, line, column } of found.problems)
      wrongs.push({ where: `${source}:${line}:${column}`, message, fix });
    return [];
  });
}

/**
 * One file over another: a key that the later one sets replaces the whole key, so that a complete file means the same
 * wherever it lies. Only profiles are taken by their names: who adds one keeps the others.
 */
function mergeServants(tool: Tool, layers: readonly Layer<Servant>[], problems: Problem[]): Sourced<Servant> {
  const none = { purpose_models: {}, purpose_efforts: {} };
  const merged: Servant = Object.assign({}, none, ...layers.map(({ values }) => values));
  const needed = ['default_model', 'allowed_models', 'wrapper_defaults'];
  demand(`configs/servant/${tool}.yaml`, merged, needed, problems);
  return { ...merged, sources: sourcesOf(layers, ({ values }) => Object.keys(values)) };
}

function mergePipelines(
  group: Group,
  layers: readonly Layer<Pipeline>[],
  problems: Problem[],
): Sourced<Pipeline> {
  const sources = sourcesOf(layers, ({ values: { profiles = {}, ...values } }) => [
    ...Object.keys(values),
    ...Object.keys(profiles).map((name) => `profiles.${name}`),
  ]);
  const merged: Pipeline = Object.assign({}, ...layers.map(({ values }) => values));
  const profiles: Record<string, Profile> = Object.assign({}, ...layers.map(({ values }) => values.profiles));
  demand(`configs/pipeline/${group}-pipeline.yaml`, merged, ['default_profile', 'profiles'], problems);
  return { ...merged, profiles, sources };
}

function sourcesOf<T>(
  layers: readonly Layer<T>[],
  namesIn: (layer: Layer<T>) => string[],
): Record<string, string> {
  return Object.fromEntries(layers.flatMap((layer) => namesIn(layer).map((name) => [name, layer.source])));
}

function demand(where: string, merged: object, keys: readonly string[], problems: Problem[]): void {
  for (const key of keys.filter((name) => !Object.hasOwn(merged, name)))
    problems.push({ where, message: `${key} is set in no file`, fix: `Add "${key}:" to ${where}.` });
}

export function byName<N extends string, T>(names: readonly N[], make: (name: N) => T): Record<N, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, T>;
}

/** Models may come from one file and allowed_models from another, so the merged files are checked. */
function modelProblems({ servants }: PacketConfig): Problem[] {
  return tools.flatMap((tool) => {
    const { default_model, purpose_models, sources } = servants[tool];
    return [
      ...disallowed(servants, tool, default_model, `${sources['default_model']} default_model`),
      ...Object.entries(purpose_models).flatMap(([purpose, model]) =>
        disallowed(servants, tool, model, `${sources['purpose_models']} purpose_models.${purpose}`),
      ),
    ];
  });
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
  const { impl, review } = config.pipelines;
  const twice = Object.keys(review.profiles).filter((name) => Object.hasOwn(impl.profiles, name));
  const doubled = twice.map((name) => ({
    where: `${review.sources[`profiles.${name}`]} profiles.${name}`,
    message: `The profile ${name} is also one of ${impl.sources[`profiles.${name}`]}`,
    fix: 'Give one of them another name: an intent names a profile of either file.',
  }));
  return [...lostDefault(config, 'impl'), ...lostDefault(config, 'review'), ...doubled];
}
