import type { Choice } from './choose.ts';
import type { Manifest } from './manifest.ts';
import type { Problem } from './merge.ts';
import { flagsOf, optionsOf } from './words.ts';

export interface Switches {
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
