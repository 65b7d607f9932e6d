import path from 'node:path';
import { shellWord } from '../errors/shell-word.ts';
import { exists } from '../io/links.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { writePlain } from '../io/plain-file.ts';
import type { BlockReason } from '../task/schema.ts';
import { type Contents, keepCopies, patchOf, putBack } from '../workspace/kept-files.ts';
import type { GuardOptions } from './guard.ts';

interface Found extends Pick<GuardOptions, 'root' | 'task' | 'masking' | 'goOn'> {
  step: string;
  before: Contents;
  now: Contents;
  /** The files, each with the keys that are others. */
  touched: ReadonlyMap<string, readonly string[]>;
}

/** Puts it back, and keeps what was tried. */
export async function undone(found: Found): Promise<BlockReason> {
  const { root, step, goOn } = found;
  const names = [...found.touched.keys()];
  const home = newHome(found);
  const patch = await noted(found, home);
  putBack(root, found.before, names);
  return reasonOf(
    `changed while step ${step} was at work, and put back: ${listed(found)}. That is not for an agent to change; what was tried is in ${patch}. If it was you, make it again; then let the task go on: ${goOn}`,
  );
}

/** Leaves it as it is, and keeps what it was. */
export async function held(found: Found): Promise<BlockReason> {
  const { root, step, goOn, before } = found;
  const names = [...found.touched.keys()];
  const home = newHome(found);
  const patch = await noted(found, home);
  const copies = makeOwnFolder(home, 'before');
  keepCopies(copies, before, names);
  return reasonOf(
    `changed in your own tree while step ${step} was at work: ${listed(found)}. Nobody can tell whether you did it, this agent, or one of another task, so it was left as it is, and every task is held that was at work without a sandbox. See ${patch}. If it was you, let the task go on: ${goOn}. If not, first get back what was there: ${wayBack(found, path.relative(root, copies))}`,
  );
}

/** Of a workspace's own repository: left as it is, because a person may work there too. */
export async function heldInWorkspace(workspace: string, found: Found): Promise<BlockReason> {
  const { step, goOn, before } = found;
  const home = newHome(found);
  const patch = await noted(found, home);
  const copies = makeOwnFolder(home, 'before');
  keepCopies(copies, before, [...found.touched.keys()]);
  const undo = `cd ${shellWord(workspace)} && ${wayBack(found, copies)}`;
  return reasonOf(
    `git's settings in the workspace were changed while step ${step} ran: ${listed(found)}. docket ignores these settings, but they can hide changes from you. See ${patch}. Undo the change (${undo}), check the work, then: ${goOn}. If you made the change yourself: ${goOn}`,
  );
}

/** For a shell in the root. What was not there goes, and so does a link: a copy would be written to where it leads. */
function wayBack({ before, now, touched }: Found, copies: string): string {
  const names = [...touched.keys()];
  const gone = names.filter((name) => name in now && (!(name in before) || now[name]?.[0] === 'link'));
  const remove = gone.length > 0 ? [`rm ${gone.map(shellWord).join(' ')}`] : [];
  const copy = names.some((name) => name in before) ? [`cp -R ${shellWord(copies)}/. .`] : [];
  return [...remove, ...copy].join(' && ');
}

/** A folder for each time: what was kept before may be all that is left of something. */
function newHome({ root, task, step }: Found): string {
  const all = makeOwnFolder(root, '.docket', 'undone');
  const name = `${task}.${step}`.replaceAll(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 150);
  for (let n = 1; ; n += 1) {
    const one = n === 1 ? name : `${name}.${n}`;
    if (!exists(path.join(all, one))) return makeOwnFolder(all, one);
  }
}

/** Where what was changed can be read, from the root. */
async function noted({ root, before, now, touched, masking }: Found, home: string): Promise<string> {
  const patch = await patchOf(home, { before, now }, [...touched.keys()]);
  const file = path.join(home, 'change.patch');
  writePlain(file, masking.text(patch.toString('utf8')));
  return path.relative(root, file);
}

function listed({ touched }: Found): string {
  const few = (all: readonly string[]): string => all.slice(0, 10).join(', ') + (all.length > 10 ? ' …' : '');
  return few([...touched].map(([file, keys]) => (keys.length > 0 ? `${file} (${few(keys)})` : file)));
}

function reasonOf(text: string): BlockReason {
  return { kind: 'scope', text, who: 'a person' };
}
