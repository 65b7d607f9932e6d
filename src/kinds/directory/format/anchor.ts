import { join, normalize } from 'node:path/posix';
import { outsideBecause } from '../../../schema/relative.ts';

export interface Anchor {
  /** From the root. */
  path: string;
  startLine: number;
  endLine: number;
}

/** A place in a file as an agent names it: `path`, `path:12` or `path:12-20`, from the folder it works in. */
export function anchorOf(ref: string, cwd = '.'): Anchor | undefined {
  const [, name = '', first = '1', last = first] = /^(.+?)(?::(\d{1,9})(?:-(\d{1,9}))?)?$/.exec(ref) ?? [];
  const path = inside(name, cwd);
  if (path === undefined) return undefined;
  const [a, b] = [Math.max(1, Number(first)), Math.max(1, Number(last))];
  return { path, startLine: Math.min(a, b), endLine: Math.max(a, b) };
}

/** What leads out of the root points nowhere that others can see. */
function inside(name: string, cwd: string): string | undefined {
  if (name === '' || [name, cwd].some((part) => part.includes('\\') || outsideBecause(part)))
    return undefined;
  const plain = normalize(name);
  // Agents name files from where they work, and now and then from the root.
  const path = plain.startsWith(`${normalize(cwd)}/`) ? plain : join(cwd, plain);
  return path === '.' || path.endsWith('/') ? undefined : path;
}
