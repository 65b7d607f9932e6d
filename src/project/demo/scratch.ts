import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { createFile, listDir, makeDir } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { copyFolder, makeScratchFolder, removeTree } from '../../io/folders.ts';
import { git } from '../../io/git.ts';
import { packageRoot } from '../../io/package-root.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Actor } from './actor.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The folder of a demonstration: a repository, and beside it what the scripted agent's docket keeps of a user. */
export interface Scratch {
  readonly folder: string;
  readonly repository: string;
  readonly env: Env;
  remove(): void;
}

const longest = 1024 * 1024;
/** Proves the work of every task. The shell finds the files: by itself `node --test` would look into the clones, too. */
const acceptance = 'node --test --test-reporter=spec test/*.test.js';

/** Nothing that is there is touched: the folder is new, or empty. */
export function makeScratch(env: Env, dir: string | undefined): Scratch {
  if (dir !== undefined && isDirectory(dir) && listDir(dir).length > 0) {
    const fix = 'give a --dir that is empty or does not exist, or leave it out';
    throw new DocketError('REFUSED', `${dir} is not empty`, fix, { path: dir });
  }
  const wasThere = dir !== undefined && isDirectory(dir);
  const folder = dir ?? makeScratchFolder('docket-demo-');
  const repository = path.join(folder, 'duration');
  makeDir(repository);
  const ours = wasThere ? ['duration', 'settings', 'state'].map((name) => path.join(folder, name)) : [folder];
  return { folder, repository, env, remove: () => ours.forEach(removeTree) };
}

/** A small project with a test that passes, docket's settings for it, and one commit. */
export async function fillScratch(scratch: Scratch, { name, settings }: Actor): Promise<void> {
  const { repository } = scratch;
  copyFolder(path.join(packageRoot(), 'demo/project'), repository);
  const put = (file: string, text: string): void => {
    makeDir(path.dirname(path.join(repository, file)));
    createFile(path.join(repository, file), text);
  };
  put('.gitignore', '.agentmesh/\n.takt/\n.tmp/\nstate/\n');
  put('.docket/config.yaml', `${settings}acceptance:\n  - ${acceptance}\n`);
  put('.docket/actions.json', shipped('actions.json').replaceAll('"AGENT"', JSON.stringify(name)));
  put('.docket/scenario.yaml', shipped('scenario.yaml'));
  put('configs/pipeline/impl-pipeline.yaml', shipped('pipeline.yaml'));
  await git(repository, ['init', '--quiet', '--initial-branch=main']);
  await git(repository, ['config', 'user.name', 'Demo']);
  await git(repository, ['config', 'user.email', 'demo@localhost']);
  // Neither a key of the user's nor their hooks for all repositories have to do with what is made here.
  await git(repository, ['config', 'commit.gpgsign', 'false']);
  await git(repository, ['config', 'core.hooksPath', '/dev/null']);
  await git(repository, ['add', '.gitignore', '.docket/config.yaml', 'README.md', 'package.json']);
  await git(repository, ['add', 'configs', 'src', 'test']);
  await git(repository, ['commit', '--quiet', '--message=Spans of time']);
}

/** `docket` is this one, and what points git at another repository does not count. */
export function envIn({ folder, env }: Scratch, { isScripted }: Actor): Env {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  const paths = [path.join(packageRoot(), 'bin'), path.dirname(process.execPath), env['PATH'] ?? ''];
  const PATH = paths.join(path.delimiter);
  return { ...Object.fromEntries(kept), PATH, GIT_PAGER: 'cat', ...(isScripted && ownPlaces(folder)) };
}

/** What the scripted agent says that it used is nobody's money: it must not come into the user's own book. */
export function ownPlaces(folder: string): Readonly<Record<string, string>> {
  return { DOCKET_HOME: path.join(folder, 'settings'), DOCKET_STATE: path.join(folder, 'state') };
}

function shipped(name: string): string {
  const file = path.join(packageRoot(), 'demo', name);
  const text = readTextFile(file, longest);
  if (text !== undefined) return text;
  throw new DocketError('NOT_FOUND', `${file} is not there`, 'install docket again', { path: file });
}
