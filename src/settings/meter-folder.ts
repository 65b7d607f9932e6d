import path from 'node:path';
import { stateFolder } from '../io/own-places.ts';
import type { Project } from './project.ts';

/** Where the user's account book is. Apart from what writes it, so that a look at it loads nothing else. */
export function meterFolder({ root, env }: Pick<Project, 'root' | 'env'>): string {
  return path.join(stateFolder(env) ?? path.join(root, '.docket'), 'meter');
}
