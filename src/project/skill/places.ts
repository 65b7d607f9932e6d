import path from 'node:path';
import { vendorFolder, type VendorName } from '../../adapters/adapters.ts';
import type { Vendor } from '../../adapters/vendor.ts';
import { DocketError } from '../../errors.ts';
import { isDirectory } from '../../io/find-up.ts';
import { placeInside } from '../../io/inside.ts';
import { skillName } from './text.ts';

export interface SkillInput {
  /** In the home of the user, for all projects. */
  user?: boolean;
  /** There and nowhere else: absolute. */
  dir?: string;
  /** Also for the agents of these vendors, where they look nowhere else. */
  vendors?: readonly VendorName[];
  force?: boolean;
  dryRun?: boolean;
}

interface Where {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** The files to write, each once. A link in a project must not lead out of it: who put it there may be anybody. */
export function skillFiles(
  { root, env }: Where,
  { user, dir, vendors = [] }: SkillInput,
  all: readonly Vendor[],
): string[] {
  if (dir !== undefined) return [path.join(dir, skillName, 'SKILL.md')];
  const base = user ? homeIn(env) : root;
  const own = all.flatMap(({ name, ownSkills }) => {
    const folder = vendorFolder(name);
    return ownSkills && (vendors.includes(name) || isDirectory(path.join(base, folder))) ? [folder] : [];
  });
  const names = ['.agents', ...own].map((folder) => path.join(folder, 'skills', skillName, 'SKILL.md'));
  const files = names.map((name) => (user ? path.join(base, name) : placeInside(base, name)));
  return [...new Set(files)];
}

function homeIn(env: Where['env']): string {
  const home = env['HOME'] ?? '';
  if (path.isAbsolute(home)) return home;
  throw new DocketError('INVALID', 'HOME names no folder', 'set HOME, or give --dir', {});
}
