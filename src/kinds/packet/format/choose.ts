import { nearest } from '../../../errors/nearest.ts';
import type { Manifest } from './manifest.ts';
import type { PacketConfig, Problem } from './merge.ts';
import type { Profile } from './pipeline.ts';
import { profileOfMode } from './words.ts';

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
