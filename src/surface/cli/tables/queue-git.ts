import type { Command } from '../table.ts';

const group = 'Results';
const task = { kind: 'text', label: '<task>', min: 1, max: 1 } as const;
const dryRun = { name: 'dry-run', summary: 'Show what would happen; change nothing' };

/** What is done with a task's work after its run. */
export const queueGitCommands: readonly Command[] = [
  {
    name: 'diff',
    group,
    summary: 'Show what a task changed',
    operand: task,
    options: [
      { name: 'stat', summary: 'Count lines by file' },
      { name: 'name-only', summary: 'Names of files only' },
    ],
    notes: [
      'Since its branch began, with what is not committed yet. Of a task that ran in',
      'place: what its steps changed; files that were touched again since are named.',
    ],
    examples: ['docket diff fix-login', 'docket diff fix-login --stat'],
    load: () => import('../commands/diff.ts'),
  },
  {
    name: 'merge',
    group,
    summary: 'Bring finished work onto a branch',
    operand: { kind: 'text', label: '[task…]', min: 0, max: Infinity },
    options: [
      { name: 'queue', summary: 'All that is finished, in that order' },
      {
        name: 'into',
        summary: 'The branch (default: the one it was made from)',
        value: { kind: 'text', label: 'BRANCH' },
      },
      { name: 'squash', summary: 'One commit each, without its history' },
      dryRun,
    ],
    notes: [
      'What docket diff shows lands: edits by hand in a workspace are committed first.',
      'Each is tested with the acceptance commands on top of those before it. What',
      'conflicts or fails is blocked, with evidence; the rest lands. Where the branch',
      'is checked out, a merge that would overwrite an uncommitted file is refused.',
      'Exit code: 0 merged, 5 a person must act, 4 refused.',
    ],
    examples: [
      'docket merge fix-login',
      'docket merge --queue --into main',
      'docket merge --queue --dry-run',
    ],
    load: () => import('../commands/merge.ts'),
  },
  {
    name: 'pr',
    group,
    summary: 'Push a branch and open a pull request',
    operand: task,
    options: [
      { name: 'draft', summary: 'As a draft' },
      { name: 'title', summary: 'Default: the title of the task', value: { kind: 'text', label: 'TEXT' } },
      { name: 'body', summary: 'Default: what was done', value: { kind: 'text', label: 'TEXT' } },
      { name: 'remote', summary: 'Default: origin', value: { kind: 'text', label: 'NAME' } },
    ],
    notes: [
      'Through gh. Never by force. One that is open already is only told. Edits by hand',
      'in the workspace are committed, and the acceptance commands run again first.',
    ],
    examples: ['docket pr fix-login --draft'],
    load: () => import('../commands/pr.ts'),
  },
  {
    name: 'delete',
    group,
    summary: 'Delete tasks and their workspaces, if nothing is lost',
    operand: { kind: 'text', label: '<task…>', min: 1, max: Infinity },
    options: [
      {
        name: 'keep-as',
        summary: 'Save all of it but what git ignores under this name first',
        value: { kind: 'text', label: 'REF' },
      },
      dryRun,
    ],
    notes: [
      'All of them are looked at before the first one goes.',
      'Refused while somebody is at work in the workspace, and where work in it is not',
      'committed, or neither merged nor pushed. --keep-as saves all of it (but not what',
      'git ignores) to refs/docket/kept/REF; docket restore brings it back.',
    ],
    examples: ['docket delete fix-login fix-logout --dry-run', 'docket delete fix-login --keep-as fix-login'],
    load: () => import('../commands/delete.ts'),
  },
  {
    name: 'restore',
    group,
    summary: 'Bring a deleted task back',
    operand: task,
    options: [dryRun],
    notes: [
      'With its branch and, where it was kept with --keep-as, its workspace. One that',
      'waited to be run waits again.',
    ],
    examples: ['docket restore fix-login'],
    load: () => import('../commands/restore.ts'),
  },
  {
    name: 'disk',
    group,
    summary: 'Show what tasks take up on the disk',
    options: [
      {
        name: 'by',
        summary: 'One row for each task (default) or kind',
        value: { kind: 'oneOf', label: 'WORD', words: ['task', 'kind'] },
      },
    ],
    notes: [
      'Workspaces, attempts (prompts and output), evidence, runs, and the files of task',
      'directories, packets and the board, the largest first. Changes nothing.',
    ],
    examples: ['docket disk', 'docket disk --by kind', "docket disk --json | jq '.tasks[0]'"],
    load: () => import('../commands/disk.ts'),
  },
  {
    name: 'clean',
    group,
    summary: 'Remove workspaces of finished tasks, if nothing is lost',
    options: [
      {
        name: 'older-than',
        summary: 'Of tasks that ended so long ago, such as 14d',
        value: { kind: 'text', label: 'AGE' },
      },
      {
        name: 'max-size',
        summary: 'Until all together take up no more, such as 10GB',
        value: { kind: 'text', label: 'SIZE' },
      },
      dryRun,
    ],
    notes: [
      'The oldest go first. Records and branches stay; a task that is taken up again',
      'gets a new workspace. What is in use, has work that is not committed, or is',
      'neither merged nor pushed is kept and named. Without options it does what',
      'retention.workspaces says. Exit code: 0, or 5 while it is still too much.',
    ],
    examples: ['docket clean --older-than 14d --dry-run', 'docket clean --max-size 10GB'],
    load: () => import('../commands/clean.ts'),
  },
];
