import path from 'node:path';
import { exists, realFolder } from '../io/links.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { writePlain } from '../io/process/plain-file.ts';
import type { Masker } from '../render/masker.ts';
import type { BlockReason } from '../task/schema.ts';
import { contentsOf, putBack, touchedSince, type Contents } from '../workspace/kept-files.ts';

/**
 * What docket and git go by in people's own tree: no agent has a say in it. Workflows are not among it: a run has its own
 * copy of them, and what an agent does to them is work like any other, to be looked at.
 */
const places = [
  '.docket/config.yaml',
  '.docket/prompts',
  '.takt/agents.yaml',
  '.takt/debug.yaml',
  '.git/config',
  '.git/hooks',
  '.git/info/attributes',
  'config/acceptance-policy.json',
  'state/acceptance-policy.json',
  'docs/protocol-config.json',
];

/** Tells, when an agent's turn is over, what of it was changed meanwhile: it is as it was again, and the change is kept aside. */
export type Guard = (at: {
  cwd: string;
  name: string;
}) => (() => Promise<BlockReason | undefined>) | undefined;

export function guardOf(given: string, masking: Pick<Masker, 'text'>): Guard {
  const root = realFolder(given);
  return ({ cwd, name }) => {
    if (!isInPlace(root, realFolder(cwd))) return undefined; // a run has its settings in memory; a clone's are nobody's
    const before = contentsOf(root, places);
    return async () => {
      const now = contentsOf(root, places);
      // Where all of the repository is gone, that is what is to be told, and nothing is put into its place.
      const isThere = (file: string): boolean =>
        !file.startsWith('.git/') || exists(path.join(root, '.git/HEAD'));
      const touched = touchedSince(before, now).filter((file) => isThere(file) && matters(file, before, now));
      return touched.length === 0 ? undefined : undone(root, name, { before, now }, touched, masking);
    };
  };
}

function isInPlace(root: string, cwd: string): boolean {
  const below = path.relative(root, cwd);
  return !below.startsWith('..') && !path.isAbsolute(below) && below.split(path.sep)[0] !== '.docket';
}

/** People's names and what git notes about branches are no harm. */
function matters(file: string, before: Contents, now: Contents): boolean {
  if (file.endsWith('.sample')) return false;
  if (file !== '.git/config') return true;
  return obeyed(before[file]?.[1]) !== obeyed(now[file]?.[1]);
}

function obeyed(config = ''): string {
  const sections = config.split(/^(?=[ \t]*\[)/m);
  return sections
    .filter((section) => !/^\s*\[\s*(?:branch|user|gc|maintenance)\b/i.test(section))
    .map((section) => section.trim())
    .join('\n');
}

async function undone(
  root: string,
  name: string,
  versions: { before: Contents; now: Contents },
  touched: string[],
  masking: Pick<Masker, 'text'>,
): Promise<BlockReason> {
  const home = makeOwnFolder(root, '.docket', 'undone');
  const patch = await putBack(root, home, versions, touched);
  const file = `${name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 100)}.patch`;
  writePlain(path.join(home, file), masking.text(patch.toString('utf8')));
  const files = touched.slice(0, 10).join(', ');
  const text = `changed while step ${name} was at work, and put back: ${files}. That is not for an agent to change; what was tried is in .docket/undone/${file}. If it was you, make it again; then let the task go on`;
  return { kind: 'scope', text, who: 'a person' };
}
