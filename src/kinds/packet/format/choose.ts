import { nearest } from '../../../errors/nearest.ts';
import type { Profile } from './config-files.ts';
import type { PacketConfig, Problem } from './config.ts';
import type { Manifest } from './manifest.ts';
import { flagsOf, optionsOf, profileOfMode } from './words.ts';

/** Profiles of these run a packet; those of the plan group come before one. */
type RunGroup = 'impl' | 'review';

export interface Choice {
  group: RunGroup;
  intent: string;
  intentFrom: string;
  name: string;
  profile: Profile;
  /** The file that has it. */
  file: string;
  /** What chose it. */
  because: string;
}

/**
 * Which profile runs. The intent names one; the manifest may name another of the same group, or a mode that stands for
 * one. A mode in a profile itself chooses nothing: it would lead every other profile astray. A `plan` from the command
 * line is the last word, over all that the manifest says about it.
 */
export function choose(
  { routing }: Manifest,
  pipelines: PacketConfig['pipelines'],
  plan: string | undefined,
): Choice | Problem {
  const { intent, pipeline } = routing;
  const asked = plan === undefined || plan === 'auto' ? undefined : plan;
  const wanted = asked ?? intent;
  const where = asked === undefined ? 'manifest.yaml routing.intent' : '--plan';
  const group = (['impl', 'review'] as const).find((name) => Object.hasOwn(pipelines[name].profiles, wanted));
  if (group === undefined)
    return unknown(wanted, where, [pipelines.impl.profiles, pipelines.review.profiles]);
  if (asked !== undefined) return chosen(asked, where);
  const mode = pipeline.options[`${group}_mode`];
  if (mode !== undefined)
    return chosen(profileOfMode[mode] ?? mode, `manifest.yaml routing.pipeline.options.${group}_mode`);
  if (pipeline.profile !== undefined)
    return chosen(pipeline.profile, 'manifest.yaml routing.pipeline.profile');
  return chosen(intent, where);

  function chosen(name: string, because: string): Choice | Problem {
    const { profiles, sources } = pipelines[group as RunGroup];
    const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (!profile) return unknown(name, because, [profiles]);
    const file = sources[`profiles.${name}`] ?? '';
    return { group: group as RunGroup, intent: wanted, intentFrom: where, name, profile, file, because };
  }
}

function unknown(name: string, where: string, among: readonly Record<string, Profile>[]): Problem {
  const known = among.flatMap(Object.keys);
  const guess = nearest(name, known);
  const hint = guess === undefined ? '' : `Did you mean "${guess}"? `;
  return {
    where,
    message: `There is no profile ${JSON.stringify(name)} here`,
    fix: `${hint}Write one of ${known.join(', ')}.`,
  };
}

interface Switches {
  flags: Record<string, boolean>;
  options: Record<string, string>;
  sources: Record<string, string>;
  problems: Problem[];
}

/** The flags and options of a run: the manifest's over the profile's. */
export function switchesOf(choice: Choice, { routing }: Manifest): Switches {
  const { group, profile } = choice;
  const { flags, options } = routing.pipeline;
  return {
    flags: { ...profile.flags, ...flags },
    options: { ...profile.options, ...options },
    sources: {
      ...sourcesOf('flags', profile.flags, flags, choice),
      ...sourcesOf('options', profile.options, options, choice),
    },
    problems: [
      ...unsupported('flags', Object.keys(flags), flagsOf[group], group),
      ...unsupported('options', Object.keys(options), Object.keys(optionsOf[group]), group),
    ],
  };
}

/** A flag that is off takes out every stage with its word in the role: also `static_verify`, `review_consolidate`. */
export function isOn(stage: string, flags: Readonly<Record<string, boolean>>): boolean {
  const role = stage.slice(stage.indexOf('_') + 1);
  if (flags['enable_brief'] === false && stage.endsWith('_brief')) return false;
  if (flags['enable_verify'] === false && role.includes('verify')) return false;
  return !(flags['enable_review'] === false && role.includes('review'));
}

function unsupported(
  kind: string,
  set: readonly string[],
  known: readonly string[],
  group: string,
): Problem[] {
  return set
    .filter((key) => !known.includes(key))
    .map((key) => ({
      where: `manifest.yaml routing.pipeline.${kind}.${key}`,
      message: `Profiles of the ${group} pipeline have no ${key}`,
      fix: `Take it out; they have ${known.join(', ')}.`,
    }));
}

function sourcesOf(
  kind: string,
  ofProfile: object,
  ofManifest: object,
  { file, name }: Choice,
): Record<string, string> {
  const from = (keys: object, source: string) => Object.keys(keys).map((key) => [`${kind}.${key}`, source]);
  return Object.fromEntries([
    ...from(ofProfile, `${file} profiles.${name}.${kind}`),
    ...from(ofManifest, `manifest.yaml routing.pipeline.${kind}`),
  ]) as Record<string, string>;
}
