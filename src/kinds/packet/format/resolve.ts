import type { Json } from '../../../task/json.ts';
import { type Choice, choose, isOn, switchesOf } from './choose.ts';
import { byName, disallowed, type PacketConfig, type Problem } from './config.ts';
import type { Manifest } from './manifest.ts';
import { parseStage, type Stage, type Tool, tools } from './stages.ts';
import type { ApprovalMode, Effort, Group, Purpose, TimeoutMode } from './words.ts';

/** How one stage is run. */
export interface StageSettings {
  stage: string;
  tool: Tool;
  role: string;
  purpose: Purpose;
  model: string;
  /** Codex only. */
  effort?: Effort;
  /** Gemini only. */
  approvalMode?: ApprovalMode;
  sandbox?: boolean;
  /** The limit counts only in the mode `enforce`. */
  timeoutMode: TimeoutMode;
  /** 0 is no limit. */
  timeoutMs: number;
}

interface Given {
  manifest: Manifest;
  servants: PacketConfig['servants'];
  choice: Choice;
  options: Readonly<Record<string, string>>;
  /** From the environment. */
  timeoutMs: number | undefined;
}

/** A value, and what set it. */
type Found<T> = readonly [value: T, source: string];

/** The longest that a timer can wait. */
const longestMs = 2 ** 31 - 1;

/** What a stage is run with, and where each value comes from. The first source that has a value wins. */
function stageSettings(
  { manifest, servants, choice, options, timeoutMs }: Given,
  name: string,
): { settings: StageSettings; sources: Record<string, string> } {
  const { tool, role } = parseStage(name) as Stage;
  const { sources, wrapper_defaults: usual, purpose_models, purpose_efforts, default_model } = servants[tool];
  const purpose = purposeOf(role, choice.group, options['impl_mode']);
  const { profile } = choice;
  const { routing, budgets } = manifest;
  const ofProfile = (key: string) => `${choice.file} profiles.${choice.name}.${key}`;
  const ofServant = (key: keyof typeof sources, rest = '') => `${sources[key]} ${key}${rest}`;
  const ofWrapper = <K extends keyof typeof usual>(key: K) =>
    [usual[key], ofServant('wrapper_defaults', `.${key}`)] as const;
  const found = {
    model: first<string>(
      [routing.model[tool], `manifest.yaml routing.model.${tool}`],
      [profile.stage_models[name], ofProfile(`stage_models.${name}`)],
      [purpose_models[purpose], ofServant('purpose_models', `.${purpose}`)],
      [default_model, ofServant('default_model')],
    ),
    effort:
      usual.effort &&
      first<Effort>(
        [profile.stage_efforts[name], ofProfile(`stage_efforts.${name}`)],
        [purpose_efforts[purpose], ofServant('purpose_efforts', `.${purpose}`)],
        ofWrapper('effort'),
      ),
    approvalMode: first<ApprovalMode>(ofWrapper('approval_mode')),
    sandbox: first<boolean>(ofWrapper('sandbox')),
    timeoutMode: first<TimeoutMode>(
      [routing.pipeline.options.timeout_mode, 'manifest.yaml routing.pipeline.options.timeout_mode'],
      [profile.options['timeout_mode'] as TimeoutMode | undefined, ofProfile('options.timeout_mode')],
      ofWrapper('timeout_mode'),
    ),
    // A manifest that says 0 leaves the limit to the tool's own file.
    timeoutMs: first<number>(
      [timeoutMs, 'DISPATCH_TIMEOUT_MS_OVERRIDE'],
      [budgets.max_wallclock_sec * 1000 || undefined, 'manifest.yaml budgets.max_wallclock_sec'],
      ofWrapper('timeout_ms'),
    ),
  };
  const known = Object.entries(found).filter((entry): entry is [string, Found<string>] => Boolean(entry[1]));
  const values = Object.fromEntries(known.map(([key, [value]]) => [key, value])) as unknown as Omit<
    StageSettings,
    'stage' | 'tool' | 'role' | 'purpose'
  >;
  return {
    settings: {
      stage: name,
      tool,
      role,
      purpose,
      ...values,
      timeoutMs: Math.min(values.timeoutMs, longestMs),
    },
    sources: Object.fromEntries(known.map(([key, [, source]]) => [key, source])),
  };
}

/** The first of them that is there. */
function first<T>(...candidates: (readonly [T | undefined, string])[]): Found<T> | undefined {
  return candidates.find((one): one is Found<T> => one[0] !== undefined);
}

/** What a stage is for: it decides which of a tool's models takes it where the profile names none. */
export function purposeOf(role: string, group: Group, implMode: string | undefined): Purpose {
  if (role === 'impl' || role === 'test_impl') return 'impl';
  if (role === 'verify' || role === 'static_verify') return 'verify';
  if (role.includes('review')) return 'review';
  if (role === 'runbook') return 'one_shot';
  if (role === 'brief' || role === 'test_design')
    return group === 'impl' && implMode === 'one_shot' ? 'one_shot' : 'plan';
  return group === 'impl' ? 'plan' : 'review';
}

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
  const toolModels = byName(tools, (tool) => models[tool] ?? servants[tool].default_model);
  const purposeModels = byName(tools, (tool) => servants[tool].purpose_models);
  return {
    resolved: { group, profile: name, intent, flags, options, stages, toolModels, purposeModels, sources },
  };
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

/** `state/config.dispatch.resolved.json`, with the keys and the order that its readers know. */
export function resolvedJson(resolved: Resolved): Record<string, Json> {
  const { stages } = resolved;
  const perStage = (of: (stage: StageSettings) => Json | undefined) =>
    Object.fromEntries(
      stages.map((stage) => [stage.stage, of(stage)]).filter(([, value]) => value !== undefined),
    ) as Record<string, Json>;
  return sorted({
    flags: resolved.flags,
    intent: resolved.intent,
    options: resolved.options,
    pipeline_group: resolved.group,
    profile: resolved.profile,
    purpose_models: resolved.purposeModels as Record<string, Record<string, string>>,
    stage_efforts: perStage(({ effort }) => effort),
    stage_models: perStage(({ model }) => model),
    stage_plan: stages.map(({ stage }) => stage),
    stage_timeout_modes: perStage(({ timeoutMode }) => timeoutMode),
    stage_timeout_ms: perStage(({ timeoutMs }) => timeoutMs),
    tool_models: resolved.toolModels,
  }) as Record<string, Json>;
}

function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}
