import type { Pipeline, PipelineLayer, Profile } from './pipeline.ts';
import type { Servant, ServantLayer } from './servant.ts';
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

/**
 * One file over another: a key that the later one sets replaces the whole key, so that a complete file means the same
 * wherever it lies. Only profiles are taken by their names: who adds one keeps the others.
 */
export function mergeServants(
  layers: readonly ServantLayer[],
  problems: Problem[],
): Record<Tool, Sourced<Servant>> {
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

export function mergePipelines(
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
