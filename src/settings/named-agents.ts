import { didYouMean } from '../errors/nearest.ts';
import { knownAgents } from './agents.ts';
import type { Config, PartialConfig } from './config.ts';

interface UnknownName {
  /** Of the key that has it. */
  place: readonly (string | number)[];
  message: string;
  fix: string;
}

/** Agents that one file names and that no file has: it is told before a task asks for them at night. */
export function unknownAgentsIn(file: PartialConfig, all: Config): UnknownName[] {
  const known = [...knownAgents(all).keys()];
  const list = (place: readonly string[], names: readonly string[] = []) =>
    names.map((name, at) => ({ place: [...place, at], name }));
  const ofRoles = Object.entries(file.roles ?? {}).flatMap(([role, who]) => {
    if (typeof who === 'string') return [{ place: ['roles', role], name: who }];
    const { agent, fallback } = who;
    return [
      ...(agent === undefined ? [] : [{ place: ['roles', role, 'agent'], name: agent }]),
      ...list(['roles', role, 'fallback'], fallback),
    ];
  });
  const { defaultAgent } = file;
  const named = [
    ...(defaultAgent === undefined ? [] : [{ place: ['defaultAgent'], name: defaultAgent }]),
    ...ofRoles,
    ...list(['fallback'], file.fallback),
  ];
  return named
    .filter(({ name }) => !known.includes(name))
    .map(({ place, name }) => {
      const fix = didYouMean(name, known, `known agents: ${known.join(', ')}`);
      return { place, message: `${place.join('.')}: there is no agent "${name}"`, fix };
    });
}
