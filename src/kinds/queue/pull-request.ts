import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { findProgram } from '../../io/find-program.ts';
import { shortRun, type ShortRun } from '../../io/short-run.ts';
import { maskWords } from '../../settings/masking.ts';
import type { Task } from '../../task/schema.ts';
import { notedOf, ownOf, wishesOf } from './format/record.ts';
import type { QueueProject } from './kind.ts';

export interface PullRequestInput {
  draft?: boolean;
  title?: string;
  body?: string;
}

const longestTitle = 100;
const longestMs = 2 * 60_000;

/** The pull request of a branch that is pushed: the one that is open, or a new one. */
export async function pullRequest(
  task: Task,
  input: PullRequestInput,
  { root, env }: Pick<QueueProject, 'root' | 'env'>,
): Promise<{ url: string; isNew: boolean }> {
  const { branch } = notedOf(task);
  if (branch === undefined) throw new Error(`task ${task.id} has no branch`);
  const gh = (args: readonly string[], text?: string) => run(['gh', ...args], { root, env }, text);
  const listed = await gh([
    'pr',
    'list',
    '--head',
    branch,
    '--state',
    'open',
    '--json',
    'url',
    '--limit',
    '1',
  ]);
  const open = urlIn(listed.stdout);
  if (open !== undefined) return { url: open, isNew: false };
  const base = baseFor(task);
  const said = { title: input.title ?? titleFor(task), body: input.body ?? bodyFor(task) };
  const { title, body } = await maskWords({ root, env }, said);
  const made = await gh(
    [
      'pr',
      'create',
      `--head=${branch}`,
      `--title=${title}`,
      '--body-file=-',
      ...(base === undefined ? [] : [`--base=${base}`]),
      ...(input.draft ? ['--draft'] : []),
    ],
    body,
  );
  const url = urlIn(made.stdout);
  if (url !== undefined) return { url, isNew: true };
  throw failed('gh said no address of a pull request', made.stdout.trim().slice(0, 200));
}

/** Before anything is pushed: a program that is missing must not leave a branch behind. */
export function assertGh({ root, env }: Pick<QueueProject, 'root' | 'env'>): void {
  if (findProgram('gh', env, root) !== undefined) return;
  throw new DocketError(
    'NOT_FOUND',
    'a pull request is made with gh, and that program is not on PATH',
    'install it (https://cli.github.com) and log in: gh auth login',
    { program: 'gh' },
  );
}

async function run(
  argv: readonly string[],
  { root, env }: Pick<QueueProject, 'root' | 'env'>,
  input?: string,
): Promise<ShortRun> {
  assertGh({ root, env });
  const quiet = { ...env, GH_PROMPT_DISABLED: '1', NO_COLOR: '1', GH_NO_UPDATE_NOTIFIER: '1' };
  const ran = await shortRun(argv, {
    env: quiet,
    cwd: root,
    timeoutMs: longestMs,
    ...(input !== undefined && { input }),
  });
  if (ran.code === 0) return ran;
  throw failed(`${argv.slice(0, 3).join(' ')} failed`, ran.stderr.trim().split('\n').slice(0, 3).join(' '));
}

function failed(what: string, said: string): DocketError {
  return new DocketError(
    'REFUSED',
    `${what}: ${said}`,
    fix`see "gh auth status"; then: ${command`pr <task>`}`,
  );
}

const urlIn = (text: string): string | undefined => /https?:\/\/[^\s"']+/.exec(text)?.[0];

/** A remote's branch is meant by its name there. */
function baseFor(task: Task): string | undefined {
  return notedOf(task).base ?? wishesOf(task).base?.replace(/^origin\//, '');
}

function titleFor(task: Task): string {
  const { issue } = wishesOf(task);
  const about = issue === undefined ? '' : `[#${issue}] `;
  const [...chars] = `${about}${task.title.split('\n', 1)[0] ?? ''}`;
  return chars.length <= longestTitle ? chars.join('') : `${chars.slice(0, longestTitle - 1).join('')}…`;
}

function bodyFor(task: Task): string {
  const { issue } = wishesOf(task);
  const said = task.status === 'done' ? task.summary : '';
  const lines = [said, `Task \`${ownOf(task).name}\` (${task.id}).`];
  if (issue !== undefined) lines.push(`Closes #${issue}.`);
  return `${lines.filter((line) => line !== '').join('\n\n')}\n`;
}
