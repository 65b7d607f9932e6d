import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { packageRoot } from '../../io/package-root.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Project } from '../../settings/project.ts';
import type { Finding } from '../../store/store.ts';
import type { Packet } from './api.ts';
import { assemble, type ConfigFile, type PacketConfig, type Problem } from './format/config.ts';
import type { Manifest } from './format/manifest.ts';
import { resolve, type Resolved } from './format/resolve.ts';
import { tools } from './format/stages.ts';
import { groups } from './format/words.ts';
import { manifestOf, readPacket } from './read.ts';

const longest = 1024 * 1024;

/** What comes with docket, and over it what the workspace says. */
function packetConfig(where: Pick<Project, 'root' | 'env'>): PacketConfig {
  return assembled(where).config;
}

/** Files of the workspace that have errors and that no packet runs from: one warning for each. */
export function unusedFiles(where: Pick<Project, 'root' | 'env'>): Finding[] {
  const fileOf = ({ where: place }: Problem): string => place.replace(/(?::\d+:\d+| .*)$/, '');
  const { unused } = assembled(where);
  return [...new Set(unused.map(fileOf))].map((path) => {
    const [first, ...others] = unused.filter((problem) => fileOf(problem) === path);
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    const message = `${first?.message}${more}; docket ignores the file, because it runs no plan pipelines`;
    return { severity: 'warning', path, message, fix: first?.fix ?? '' };
  });
}

function assembled({ root, env }: Pick<Project, 'root' | 'env'>) {
  const own = path.resolve(root, env['AGENT_CLI_CONFIG_ROOT'] ?? 'configs');
  const files = [
    ...filesIn(path.join(packageRoot(), 'configs'), 'docket:configs'),
    ...filesIn(own, path.relative(root, own) || '.'),
  ];
  const made = assemble(files);
  if ('problems' in made) throw invalid(made.problems);
  return made;
}

/** The names of all profiles that a packet can be made for. */
export function intentsOf(where: Pick<Project, 'root' | 'env'>): string[] {
  const { impl, review } = packetConfig(where).pipelines;
  return [...Object.keys(impl.profiles), ...Object.keys(review.profiles)];
}

export function assertIntent(intent: string, where: Pick<Project, 'root' | 'env'>): void {
  const known = intentsOf(where);
  if (known.includes(intent)) return;
  throw new DocketError('INVALID', `there is no intent "${intent}"`, `use one of ${known.join(', ')}`, {
    intent,
    known,
  });
}

export function resolved(manifest: Manifest, where: Project, plan: string | undefined): Resolved {
  const { DISPATCH_TIMEOUT_MS_OVERRIDE } = where.env;
  const answer = resolve({ ...packetConfig(where), manifest, plan, env: { DISPATCH_TIMEOUT_MS_OVERRIDE } });
  if ('problems' in answer) throw invalid(answer.problems);
  return answer.resolved;
}

function filesIn(folder: string, shown: string): ConfigFile[] {
  const found = (names: readonly string[]) => {
    for (const name of names) {
      const text = readTextFile(path.join(folder, name), longest);
      if (text !== undefined) return [{ source: `${shown}/${name}`, text }];
    }
    return [];
  };
  return [
    ...tools.flatMap((tool) =>
      found([`servants/${tool}.yaml`, `servant/${tool}.yaml`]).map((file) => ({ ...file, tool })),
    ),
    ...groups.flatMap((group) =>
      found([`pipeline/${group}-pipeline.yaml`]).map((file) => ({ ...file, group })),
    ),
  ];
}

/** All of them at once, each with its place. */
function invalid(problems: readonly Problem[]): DocketError {
  const [first] = problems;
  const lines = problems.map(({ where, message, fix }) => `${where}: ${message} (${fix})`);
  const message = problems.length === 1 && first ? `${first.where}: ${first.message}` : lines.join('\n');
  return new DocketError('INVALID', message, first?.fix ?? 'mend the configuration', { problems });
}

type Sources = Readonly<Record<string, string>>;
type Effective = { value: unknown; sources: Sources };

/** What is in force: for one packet, stage by stage; else all that the configuration files say together. */
export async function effectiveConfig(where: Project, id: string | undefined): Promise<Effective> {
  if (id === undefined) {
    const { servants, pipelines } = packetConfig(where);
    return below({ servants: parted(servants), pipelines: parted(pipelines) });
  }
  const { sources, stages, ...value } = resolved(
    manifestOf((await readPacket(where, id)).task),
    where,
    undefined,
  );
  const byStage = Object.fromEntries(stages.map(({ stage, ...settings }) => [stage, settings]));
  return { value: { ...value, stages: byStage }, sources };
}

/** Values here, and where they come from there. */
function parted(parts: Readonly<Record<string, { sources: Sources }>>): Effective {
  return below(
    Object.fromEntries(
      Object.entries(parts).map(([name, { sources, ...value }]) => [name, { value, sources }]),
    ),
  );
}

/** Many as one, each below its name. */
function below(parts: Readonly<Record<string, Effective>>): Effective {
  const named = Object.entries(parts);
  const sources = named.flatMap(([name, part]) =>
    Object.entries(part.sources).map(([key, source]) => [`${name}.${key}`, source] as const),
  );
  return {
    value: Object.fromEntries(named.map(([name, { value }]) => [name, value])),
    sources: Object.fromEntries(sources),
  };
}

/** A packet that has never run, with the stages that it will have. */
export function withPlanned(packet: Packet, where: Project): Packet {
  try {
    const { stages } = resolved(manifestOf(packet.task), where, undefined);
    return { ...packet, stages: stages.map(({ stage }) => ({ stage, state: 'pending', reasons: [] })) };
  } catch (error) {
    if (error instanceof DocketError) return packet; // which ones nobody can tell; `validate` says why
    throw error;
  }
}
