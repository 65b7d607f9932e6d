import type { Choice } from './choose.ts';
import type { Manifest } from './manifest.ts';
import type { PacketConfig } from './merge.ts';
import { parseStage, type Stage, type Tool } from './stages.ts';
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

export interface Given {
  manifest: Manifest;
  servants: PacketConfig['servants'];
  choice: Choice;
  options: Readonly<Record<string, string>>;
  /** From the environment. */
  timeoutMs: number | undefined;
}

type Found<T> = { value: T; source: string };

/** The longest that a timer can wait. */
const longestMs = 2 ** 31 - 1;

/** What a stage is run with, and where each value comes from. The first source that has a value wins. */
export function stageSettings(
  given: Given,
  name: string,
): { settings: StageSettings; sources: Record<string, string> } {
  const { manifest, servants, choice, options } = given;
  const { tool, role } = parseStage(name) as Stage;
  const { sources, wrapper_defaults, purpose_models, purpose_efforts, default_model } = servants[tool];
  const purpose = purposeOf(role, choice.group, options['impl_mode']);
  const { profile } = choice;
  const ofProfile = (key: string) => `${choice.file} profiles.${choice.name}.${key}`;
  const ofServant = (key: keyof typeof sources, rest = '') => `${sources[key]} ${key}${rest}`;
  const model = first<string>(
    default_model,
    ofServant('default_model'),
    [manifest.routing.model[tool], `manifest.yaml routing.model.${tool}`],
    [profile.stage_models[name], ofProfile(`stage_models.${name}`)],
    [purpose_models[purpose], ofServant('purpose_models', `.${purpose}`)],
  );
  const mode = first<TimeoutMode>(
    wrapper_defaults.timeout_mode,
    ofServant('wrapper_defaults', '.timeout_mode'),
    [manifest.routing.pipeline.options.timeout_mode, 'manifest.yaml routing.pipeline.options.timeout_mode'],
    [profile.options['timeout_mode'] as TimeoutMode | undefined, ofProfile('options.timeout_mode')],
  );
  // A manifest that says 0 leaves the limit to the tool's own file.
  const ms = first<number>(
    wrapper_defaults.timeout_ms,
    ofServant('wrapper_defaults', '.timeout_ms'),
    [given.timeoutMs, 'DISPATCH_TIMEOUT_MS_OVERRIDE'],
    [manifest.budgets.max_wallclock_sec * 1000 || undefined, 'manifest.yaml budgets.max_wallclock_sec'],
  );
  const { effort: usual, approval_mode, sandbox } = wrapper_defaults;
  const effort =
    usual &&
    first<Effort>(
      usual,
      ofServant('wrapper_defaults', '.effort'),
      [profile.stage_efforts[name], ofProfile(`stage_efforts.${name}`)],
      [purpose_efforts[purpose], ofServant('purpose_efforts', `.${purpose}`)],
    );
  return {
    settings: {
      stage: name,
      tool,
      role,
      purpose,
      model: model.value,
      ...(effort && { effort: effort.value }),
      ...(approval_mode && { approvalMode: approval_mode }),
      ...(sandbox !== undefined && { sandbox }),
      timeoutMode: mode.value,
      timeoutMs: Math.min(ms.value, longestMs),
    },
    sources: {
      model: model.source,
      ...(effort && { effort: effort.source }),
      ...(approval_mode && { approvalMode: ofServant('wrapper_defaults', '.approval_mode') }),
      ...(sandbox !== undefined && { sandbox: ofServant('wrapper_defaults', '.sandbox') }),
      timeoutMode: mode.source,
      timeoutMs: ms.source,
    },
  };
}

/** The first of the candidates that is there, else what stands for all. */
function first<T>(value: T, source: string, ...candidates: [T | undefined, string][]): Found<T> {
  const found = candidates.find(([candidate]) => candidate !== undefined);
  return found === undefined ? { value, source } : { value: found[0] as T, source: found[1] };
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
