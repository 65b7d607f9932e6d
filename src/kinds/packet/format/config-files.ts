import * as v from 'valibot';
import { readYaml } from '../../../schema/read.ts';
import {
  anything,
  hints,
  keyLike,
  keys,
  maybe,
  needed,
  otherwise,
  table,
  text,
  unless,
  whole,
} from '../../../schema/schemas.ts';
import { parseStage, stageAdvice, type Tool } from './stages.ts';
import {
  approvalModes,
  efforts,
  flagsOf,
  isProfileName,
  optionsOf,
  profileAdvice,
  purposes,
  timeoutModes,
  type Group,
} from './words.ts';

const wrapper = keys({
  timeout_ms: needed(whole(0), 'timeout_ms: 600000', '0 is no limit.'),
  timeout_mode: needed(v.picklist(timeoutModes), 'timeout_mode: enforce'),
  effort: needed(v.picklist(efforts), 'effort: high'),
  approval_mode: needed(v.picklist(approvalModes), 'approval_mode: default'),
  sandbox: needed(v.boolean(), 'sandbox: false'),
});
type Wrapper = v.InferOutput<typeof wrapper>;

const purpose = v.picklist(purposes);
/** The last two say nothing that docket acts on. */
const servant = keys({
  version: maybe(whole(1, 2)),
  default_model: maybe(text),
  allowed_models: maybe(v.pipe(v.array(text), v.nonEmpty(), hints({ fix: 'Name at least one model.' }))),
  purpose_models: maybe(table(purpose, text)),
  web_capabilities: maybe(anything),
  effort_level_descriptions: maybe(anything),
}).entries;

/** Only codex has efforts, only gemini a mode of approval and a sandbox. */
const servants = {
  codex: keys({
    ...servant,
    tool: maybe(v.literal('codex')),
    wrapper_defaults: maybe(v.omit(wrapper, ['approval_mode', 'sandbox'])),
    purpose_efforts: maybe(table(purpose, v.picklist(efforts))),
  }),
  gemini: keys({
    ...servant,
    tool: maybe(v.literal('gemini')),
    wrapper_defaults: maybe(v.omit(wrapper, ['effort'])),
  }),
  copilot: keys({
    ...servant,
    tool: maybe(v.literal('copilot')),
    wrapper_defaults: maybe(v.pick(wrapper, ['timeout_ms', 'timeout_mode'])),
  }),
};
type CodexFile = v.InferOutput<typeof servants.codex>;

/** How one tool is called. */
export type Servant = Required<
  Pick<CodexFile, 'default_model' | 'allowed_models' | 'purpose_models' | 'purpose_efforts'>
> & { wrapper_defaults: Pick<Wrapper, 'timeout_ms' | 'timeout_mode'> & Partial<Wrapper> };

/** `configs/servant/<tool>.yaml`: any of its keys, for it may lie over another. Never throws. */
export function readServant(yaml: string, tool: Tool) {
  const read = readYaml(yaml, servants[tool]);
  if ('problems' in read) return read;
  const { version, tool: _, web_capabilities, effort_level_descriptions, ...values } = read.value;
  return { values: values as Partial<Servant> };
}

/** A group of profiles. */
export type Pipeline = Required<Omit<v.InferOutput<ReturnType<typeof pipelineOf>>, 'version' | 'pipeline'>>;
export type Profile = v.InferOutput<ReturnType<typeof profileOf>>;

/** `configs/pipeline/<group>-pipeline.yaml`, likewise. */
export function readPipeline(yaml: string, group: Group) {
  const read = readYaml(yaml, pipelineOf(group));
  if ('problems' in read) return read;
  const { version: _, pipeline, ...values } = read.value;
  return { values: values as Partial<Pipeline> };
}

function pipelineOf(group: Group) {
  return keys({
    version: maybe(v.literal(1)),
    pipeline: maybe(v.picklist([group])),
    default_profile: maybe(text),
    profiles: maybe(table(keyLike(isProfileName, profileAdvice), profileOf(group))),
  });
}

const isStage = (name: string): boolean => parseStage(name) !== undefined;
const isCodexStage = (name: string): boolean => parseStage(name)?.tool === 'codex';

const stage = unless(text, (name) => (isStage(name) ? undefined : 'is no stage'), stageAdvice);
const stages = needed(
  unless(v.array(stage), disorder, 'Name each stage once, and at least one.'),
  'stages: [codex_impl]',
);
const stageModels = table(keyLike(isStage, stageAdvice), text);
const stageEfforts = table(
  keyLike(isCodexStage, 'Only stages of codex have an effort.'),
  v.picklist(efforts),
);

/** A stage is a step of a run, and a step has its name for itself. */
function disorder(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'is empty';
  return new Set(names).size < names.length ? 'names a stage twice' : undefined;
}

/** The stages of a plan are fixed, so its profiles have no say in them. */
function profileOf(group: Group) {
  const options = Object.entries<readonly [string, ...string[]]>(optionsOf[group]);
  const parts = {
    flags: otherwise(table(v.picklist<readonly string[]>(flagsOf[group]), v.boolean()), {}),
    options: otherwise(
      keys(Object.fromEntries(options.map(([option, words]) => [option, maybe(v.picklist(words))]))),
      {},
    ),
    stage_models: otherwise(stageModels, {}),
    stage_efforts: otherwise(stageEfforts, {}),
  };
  if (group !== 'plan')
    return unless(keys({ stages, ...parts }), strayStage, 'Name only stages of this profile.');
  return v.pipe(
    keys(parts),
    v.transform((profile) => ({ stages: [], ...profile })),
  );
}

function strayStage(profile: { stages: readonly string[]; stage_models: object; stage_efforts: object }) {
  const named = [...Object.keys(profile.stage_models), ...Object.keys(profile.stage_efforts)];
  const stray = named.find((name) => !profile.stages.includes(name));
  return stray === undefined ? undefined : `says something about ${stray}, which is not one of its stages`;
}
