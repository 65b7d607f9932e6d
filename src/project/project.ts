import path from 'node:path';
import { DocketError } from '../errors.ts';
import { command, fix } from '../errors/command.ts';
import { exists } from '../io/links.ts';
import { isAgent } from '../settings/caller.ts';
import { isProject, type Root } from './root.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Why nothing can be done there, and where it was looked for. */
export function whereLooked({ root, passed }: { root: string; passed?: string }): string {
  const names = '.docket, .takt, .agentmesh or .git';
  const other = passed === undefined ? '' : `; ${passed} does, and is not taken for what lies below it`;
  return `neither ${root} nor a folder above it has ${names}${other}`;
}

/** For what works on tasks that are there: it makes no project. */
export function inProject<Given extends unknown[], T>(
  found: Root,
  call: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  return async (...given) => {
    assertProject(found);
    return call(...given);
  };
}

export function assertProject(found: Root): void {
  if (found.how !== 'none' || isProject(found.root)) return;
  const { root, passed } = found;
  const from = passed === undefined ? '--root DIR' : `--root ${passed}`;
  throw new DocketError(
    'NOT_FOUND',
    `there is no docket project here: ${whereLooked(found)}`,
    fix`cd to the project, or name it: ${from}; a new one begins with ${command`add "…"`} or ${command`init`}`,
    { root, ...(passed !== undefined && { passed }) },
  );
}

/**
 * The store for new work, made where there is none. What an agent found to do belongs to the project that it works for:
 * in a new one nobody would ever see it, and from a sandbox it cannot be written.
 */
export async function openForNew<T>(found: Root, env: Env, open: () => Promise<T>): Promise<T> {
  if (!isAgent(env)) return open();
  const { root, how } = found;
  if (how !== 'named' && !exists(path.join(root, '.docket')))
    throw new DocketError('REFUSED', `an agent cannot make a project, and ${root} is none`, inReport, {
      root,
    });
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof DocketError) || (error.code !== 'NO_ACCESS' && error.code !== 'IO')) throw error;
    const message = `this agent cannot write to the project ${root}, as in a sandbox: ${error.message}`;
    throw new DocketError('NO_ACCESS', message, inReport, { root }, { cause: error });
  }
}

const inReport = 'say what you found in your report: a person takes it from there';

export { assertMayCall } from '../settings/caller.ts';
