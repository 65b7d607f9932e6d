import { readFileSync } from 'node:fs';
import {
  assemble,
  type ConfigFile,
  type PacketConfig,
  type Problem,
} from '../../../../../src/kinds/packet/format/config.ts';
import { resolve, type Resolved, type ToResolve } from '../../../../../src/kinds/packet/format/resolve.ts';
import { tools, type Tool } from '../../../../../src/kinds/packet/format/stages.ts';
import { groups, type Group } from '../../../../../src/kinds/packet/format/words.ts';
import { manifestIn, minimal } from '../support.ts';

const textOf = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');

/** The files of the package itself. */
export const shipped: ConfigFile[] = [
  ...tools.map((tool) => {
    const source = `configs/servant/${tool}.yaml`;
    return { tool, source, text: textOf(source) };
  }),
  ...groups.map((group) => {
    const source = `configs/pipeline/${group}-pipeline.yaml`;
    return { group, source, text: textOf(source) };
  }),
];

export function configOf(...more: ConfigFile[]): PacketConfig {
  const made = assemble([...shipped, ...more]);
  if ('problems' in made) throw new Error(JSON.stringify(made.problems, null, 2));
  return made.config;
}

export function problemsOf(...more: ConfigFile[]): Problem[] {
  const made = assemble([...shipped, ...more]);
  return 'problems' in made ? made.problems : [];
}

/** A file of a project's own. */
export function own(name: { tool: Tool } | { group: Group }, text: string): ConfigFile {
  return { ...name, source: 'own.yaml', text };
}

/** The minimal manifest with another routing, in flow style. */
export const routed = (routing: string, text = minimal) =>
  manifestIn(text.replace('routing:\n  intent: safe_impl', `routing: {${routing}}`));

export function resolvedWith(input: Partial<ToResolve>): Resolved {
  const made = resolve({ manifest: manifestIn(minimal), ...configOf(), ...input });
  if ('problems' in made) throw new Error(JSON.stringify(made.problems, null, 2));
  return made.resolved;
}

export function problemsWith(input: Partial<ToResolve>): Problem[] {
  const made = resolve({ manifest: manifestIn(minimal), ...configOf(), ...input });
  return 'problems' in made ? made.problems : [];
}
