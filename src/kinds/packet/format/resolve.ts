import { disallowed } from './assemble.ts';
import { choose, type Choice } from './choose.ts';
import type { Manifest } from './manifest.ts';
import type { PacketConfig, Problem } from './merge.ts';
import { stageSettings, type StageSettings } from './stage-settings.ts';
import { parseStage, tools, type Tool } from './stages.ts';
import { isOn, switchesOf } from './switches.ts';
import type { Purpose } from './words.ts';

/** What a packet is run with. */
export interface Resolved {
  group: 'impl' | 'review';
  profile: string;
  intent: string;
  flags: Record<string, boolean>;
  options: Record<string, string>;
  /** In the order in which they run. */
  stages: StageSettings[];
  toolModels: Record<Tool, string>;
  purposeModels: Record<Tool, { [purpose in Purpose]?: string }>;
  /** Where each value comes from: `stages.codex_impl.model` → `configs/servant/codex.yaml purpose_models.impl`. */
  sources: Record<string, string>;
}

export interface ToResolve extends PacketConfig {
  manifest: Manifest;
  /** A profile's name from the command line; `auto` is none. */
  plan?: string | undefined;
  env?: { DISPATCH_TIMEOUT_MS_OVERRIDE?: string | undefined };
}

/** All that stands against it at once. */
export function resolve(input: ToResolve): { resolved: Resolved } | { problems: Problem[] } {
  const { manifest, servants, pipelines, plan } = input;
  const timeout = timeoutIn(input.env?.DISPATCH_TIMEOUT_MS_OVERRIDE);
  const choice = choose(manifest, pipelines, plan);
  const problems = modelProblems(manifest, servants);
  if (typeof timeout === 'object') problems.push(timeout);
  if ('message' in choice) return { problems: [...problems, choice] };
  const { group, intent, name, profile } = choice;
  const { flags, options, ...switches } = switchesOf(choice, manifest);
  problems.push(...switches.problems);
  const names = profile.stages.filter((stage) => isOn(stage, flags));
  if (names.length === 0) problems.push(nothingLeft(choice));
  problems.push(...stageModelProblems(input, choice, names));
  if (problems.length > 0 || typeof timeout === 'object') return { problems };

  const given = { manifest, servants, choice, options, timeoutMs: timeout };
  const staged = names.map((stage) => stageSettings(given, stage));
  const stages = staged.map(({ settings }) => settings);
  const sources = {
    intent: choice.intentFrom,
    profile: choice.because,
    ...switches.sources,
    ...Object.fromEntries(
      staged.flatMap(({ settings, sources }) =>
        Object.entries(sources).map(([key, source]) => [`stages.${settings.stage}.${key}`, source]),
      ),
    ),
  };
  const { model: models } = manifest.routing;
  const toolModels = perTool((tool) => models[tool] ?? servants[tool].default_model);
  const purposeModels = perTool((tool) => servants[tool].purpose_models);
  return {
    resolved: { group, profile: name, intent, flags, options, stages, toolModels, purposeModels, sources },
  };
}

function perTool<T>(of: (tool: Tool) => T): Record<Tool, T> {
  return Object.fromEntries(tools.map((tool) => [tool, of(tool)])) as Record<Tool, T>;
}

/** Only the profile that runs is checked: a workspace may allow fewer models than other profiles name. */
function stageModelProblems(
  { manifest, servants, pipelines }: ToResolve,
  { group, name, profile }: Choice,
  stages: readonly string[],
): Problem[] {
  const source = pipelines[group].sources[`profiles.${name}`];
  return stages.flatMap((stage) => {
    const tool = parseStage(stage)?.tool;
    const model = profile.stage_models[stage];
    if (!tool || model === undefined || manifest.routing.model[tool] !== undefined) return [];
    return disallowed(servants, tool, model, `${source} profiles.${name}.stage_models.${stage}`);
  });
}

function modelProblems({ routing }: Manifest, servants: PacketConfig['servants']): Problem[] {
  return tools.flatMap((tool) => {
    const model = routing.model[tool];
    return model === undefined
      ? []
      : disallowed(servants, tool, model, `manifest.yaml routing.model.${tool}`);
  });
}

function nothingLeft({ name, file }: Choice): Problem {
  return {
    where: 'manifest.yaml routing.pipeline.flags',
    message: `The flags leave no stage of the profile ${name} (${file})`,
    fix: 'Set one of the flags to true, or choose another intent.',
  };
}

function timeoutIn(value: string | undefined): number | undefined | Problem {
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  return {
    where: 'DISPATCH_TIMEOUT_MS_OVERRIDE',
    message: `${JSON.stringify(value)} is no number of milliseconds`,
    fix: 'Set it to a whole number such as 600000 (0: no limit), or unset it.',
  };
}
