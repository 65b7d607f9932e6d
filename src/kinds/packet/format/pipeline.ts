import * as v from 'valibot';
import type { Wrong } from '../../../schema/problem.ts';
import { readYaml } from '../../../schema/read-yaml.ts';
import { keyLike, keys, maybe, needed, otherwise, table, text, unless } from '../../../schema/schemas.ts';
import { parseStage, stageAdvice } from './stages.ts';
import { efforts, flagsOf, isProfileName, optionsOf, profileAdvice, type Group } from './words.ts';

/** A group of profiles. */
export type Pipeline = Required<Omit<v.InferOutput<ReturnType<typeof fileOf>>, 'version' | 'pipeline'>>;
export type Profile = v.InferOutput<ReturnType<typeof profileOf>>;

/** What one file sets. */
export interface PipelineLayer {
  group: Group;
  source: string;
  values: Partial<Pipeline>;
}

/** `configs/pipeline/<group>-pipeline.yaml`: any of its keys, for it may lie over another. Never throws. */
export function readPipeline(
  yaml: string,
  group: Group,
  source: string,
): { layer: PipelineLayer } | { wrongs: readonly Wrong[] } {
  const read = readYaml(yaml, fileOf(group));
  if ('problems' in read) return { wrongs: read.problems };
  const { version: _, pipeline, ...values } = read.value;
  return { layer: { group, source, values } };
}

function fileOf(group: Group) {
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
  const whole = keys({ stages, ...parts });
  if (group !== 'plan') return unless(whole, strayStage, 'Name only stages of this profile.');
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
