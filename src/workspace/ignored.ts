import { tryGit } from '../io/git.ts';

/** Which of these git does not look at. Where there is no git: none. */
export async function ignoredIn(cwd: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const input = paths.map((name) => `${name}\0`).join('');
  const { stdout } = await tryGit(cwd, ['check-ignore', '-z', '--stdin'], { input });
  return new Set(stdout.split('\0').filter((name) => name !== ''));
}
