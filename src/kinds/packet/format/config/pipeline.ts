import type { Wrong } from '../../../../layout/layout.ts';
import { keys, needed, record, unless } from '../../../../schema/mapping.ts';
import { count, list, text, word, yesNo, type Rule } from '../../../../schema/rule.ts';
import type { Json } from '../../../../schema/value.ts';
import { readBy } from '../reading.ts';
import { parseStage, stageAdvice } from '../stages.ts';
import {
  efforts,
  flagsOf,
  isProfileName,
  optionsOf,
  profileAdvice,
  type Effort,
  type Group,
} from './words.ts';

export type Profile = {
  /** In the order in which they run; none in the plan group. */
  stages: string[];
  flags: Record<string, boolean>;
  options: Record<string, string>;
  stage_models: Record<string, string>;
  stage_efforts: Record<string, Effort>;
};

/** A group of profiles. */
export type Pipeline = { default_profile: string; profiles: Record<string, Profile> };

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
): { layer: PipelineLayer } | { wrongs: Wrong[] } {
  const read = readBy(yaml, ruleOf(group));
  if ('wrongs' in read) return read;
  const { version: _, pipeline, ...values } = read.value;
  return { layer: { group, source, values } };
}

type PipelineFile = Partial<Pipeline> & { version?: number; pipeline?: Group };

const version = unless(
  count(0, Number.MAX_SAFE_INTEGER, 1),
  (number) => (number === 1 ? undefined : 'must be 1'),
  'Write "version: 1".',
);

function ruleOf(group: Group): Rule<PipelineFile> {
  return keys(
    {},
    {
      version,
      pipeline: word([group]),
      default_profile: text(),
      profiles: record(profileOf(group), isProfileName, profileAdvice),
    },
  );
}

const isStage = (name: string): boolean => parseStage(name) !== undefined;
const isCodexStage = (name: string): boolean => parseStage(name)?.tool === 'codex';

const stage = unless(text(), (name) => (isStage(name) ? undefined : 'is no stage'), stageAdvice);
const stages: Rule<string[]> = needed(
  unless<string[]>(list(stage), disorder, 'Name each stage once, and at least one.'),
  'stages: [codex_impl]',
);

/** A stage is a step of a run, and a step has its name for itself. */
function disorder(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'is empty';
  return new Set(names).size < names.length ? 'names a stage twice' : undefined;
}

function profileOf(group: Group): Rule<Profile> {
  const parts = {
    flags: settings(flagsOf[group].map((flag) => [flag, yesNo(true)])),
    options: settings(Object.entries(optionsOf[group]).map(([option, words]) => [option, word(words)])),
    stage_models: record(text(), isStage, stageAdvice),
    stage_efforts: record(word(efforts), isCodexStage, 'Only stages of codex have an effort.'),
  };
  if (group !== 'plan')
    return unless(keys({ stages, ...parts }), strayStage, 'Name only stages of this profile.');
  const plan = keys(parts); // the stages of a plan are fixed, so its profiles have no say in them
  return (value, path, mistakes) => ({ stages: [], ...plan(value, path, mistakes) });
}

function settings<T extends Json>(rules: [string, Rule<T>][]): Rule<Record<string, T>> {
  return keys({}, Object.fromEntries(rules)) as Rule<Record<string, T>>;
}

function strayStage({ stages, stage_models, stage_efforts }: Profile): string | undefined {
  const named = [...Object.keys(stage_models), ...Object.keys(stage_efforts)];
  const stray = named.find((name) => !stages.includes(name));
  return stray === undefined ? undefined : `says something about ${stray}, which is not one of its stages`;
}
