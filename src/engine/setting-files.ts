import path from 'node:path';
import { DocketError } from '../errors.ts';
import { listDir, makeDir, sizeAndInode } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import { placeInside } from '../io/inside.ts';
import { excludeCopied, includeIgnored } from '../workspace/include.ts';
import { readMarker } from '../workspace/prepare-marker.ts';
import type { SettingOptions, SettingPlan } from './setting-plan.ts';

/** Copies into a workspace what the root has and git ignores. What is there already stays. */
export async function copyWanted({ root, plan, workspace }: SettingOptions, cwd: string): Promise<void> {
  if (!workspace) return;
  const { place, id } = workspace;
  const copied = await includeIgnored(root, cwd, plan.copy);
  const marker = readMarker(place, { root, id });
  if (marker?.plan.kind === 'clone') excludeCopied(marker.gitDir, path.relative(place, cwd), copied);
}

export function makeCaches({ caches }: SettingPlan): void {
  for (const folder of Object.values(caches)) makeDir(folder);
}

/** The names that are not there, or are empty. A link that leads out of the tree is not there. */
export function missingIn(cwd: string, requires: readonly string[]): string[] {
  return requires.filter((name) => {
    const place = inside(cwd, name);
    if (place === undefined) return true;
    return isDirectory(place) ? listDir(place).length === 0 : (sizeAndInode(place)?.size ?? 0) === 0;
  });
}

function inside(cwd: string, name: string): string | undefined {
  try {
    return placeInside(cwd, name);
  } catch (error) {
    if (error instanceof DocketError && error.code === 'REFUSED') return undefined;
    throw error;
  }
}

/** What is missing, and how it comes to be there. */
export function missingText(
  missing: readonly string[],
  { root, workspace }: SettingOptions,
  cwd: string,
): string {
  const inRoot = workspace ? missing.filter((name) => missingIn(root, [name]).length === 0) : [];
  const fix =
    inRoot.length > 0
      ? `the root has ${inRoot.join(', ')}: name it in setup.copy or .worktreeinclude, if git ignores it`
      : 'put it there, or let a command of setup.commands make it';
  return `setup.requires: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing or empty in ${cwd}; ${fix}`;
}
