import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { packageRoot } from '../../io/package-root.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Project } from '../../settings/project.ts';
import type { Finding } from '../../store/store.ts';
import { assemble, type ConfigFile } from './format/assemble.ts';
import type { Manifest } from './format/manifest.ts';
import type { PacketConfig, Problem } from './format/merge.ts';
import { resolve, type Resolved } from './format/resolve.ts';
import { tools } from './format/stages.ts';
import { groups } from './format/words.ts';

const longest = 1024 * 1024;

/** What comes with docket, and over it what the workspace says. */
export function packetConfig(where: Pick<Project, 'root' | 'env'>): PacketConfig {
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
