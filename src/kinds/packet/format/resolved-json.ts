import type { Json } from '../../../task/json.ts';
import type { Resolved } from './resolve.ts';
import type { StageSettings } from './stage-settings.ts';

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
