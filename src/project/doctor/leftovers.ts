import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { shellWord } from '../../errors/shell-word.ts';
import type { Clock } from '../../io/clock.ts';
import { listDir } from '../../io/files.ts';
import { tryGit } from '../../io/git.ts';
import { exists } from '../../io/links.ts';
import { findMarked } from '../../io/process/family.ts';
import { startedBelow } from '../../io/process/leftovers.ts';
import { tempFolderOf } from '../../io/process/temp-folder.ts';
import type { Project } from '../../settings/project.ts';
import { isGone } from '../../store/gone.ts';
import { openReader } from '../../store/open/open.ts';
import type { StorePlace } from '../../store/store.ts';
import type { Status } from '../../task/status.ts';
import { trialLeftovers } from '../../workspace/merge-trial.ts';
import { makeProcesses } from '../ps/processes.ts';
import { storesIn } from '../tasks/kinds.ts';
import { nextOf } from '../tasks/next.ts';
import { ok, problem, type Check, type Seen } from './check.ts';
import { fromRoot } from './remedy.ts';

export const leftoverChecks: readonly Check[] = [
  { name: 'running', look: running },
  { name: 'processes', look: processes },
  { name: 'leftovers', look: leftovers },
  { name: 'state', look: state },
];

/** What the journals say runs, held against the processes that there are. The next run frees what nobody runs. */
async function running({ root, clock }: Project): Promise<Seen[]> {
  const seen: Seen[] = [];
  let count = 0;
  for (const { kind, name, store } of storesIn(root))
    for (const { id, status, dead } of await runningIn(store, clock)) {
      count += 1;
      if (dead)
        seen.push(
          problem('warn', `${kind.name} task ${id} says ${status}, and its docket is gone`, {
            where: path.relative(root, store.dir),
            fix: 'go on with it: what was done is kept',
            command: ['docket', ...nextOf(kind.name).goOn(name ?? id)].join(' '),
          }),
        );
    }
  return seen.length > 0 ? seen : [ok(count === 0 ? 'nothing runs' : `${count} run, each with its docket`)];
}

/** A reader shows tasks of dead workers as queued: those are told here. */
async function runningIn(
  store: StorePlace,
  clock: Clock,
): Promise<{ id: string; status: Status; dead: boolean }[]> {
  if (!exists(store.dir)) return []; // docket has never worked there
  const query = { status: ['running', 'review'] } as const;
  try {
    return await openReader(store, clock).read(query, (tasks, { freed }) => [
      ...[...freed].map((id) => ({ id, status: 'running' as const, dead: true })),
      ...tasks.list(query).map((task) => ({ id: task.id, status: task.status, dead: isGone(task) })),
    ]);
  } catch (error) {
    if (error instanceof DocketError) return []; // told by the check of tasks
    throw error;
  }
}

async function processes(where: Project): Promise<Seen[]> {
  const all = await makeProcesses(where).list();
  const lost = all.filter(({ state: one }) => one !== 'running');
  if (lost.length === 0) return [ok(all.length === 0 ? 'none' : `${all.length}, each of a task that runs`)];
  return lost.map(({ state: one, agent, pid, ports, why, end }) => {
    const at = ports.length === 0 ? '' : `, listening on ${ports.join(', ')}`;
    return problem('warn', `a ${one} process: ${agent}${at}: ${why ?? ''}`, {
      where: `pid ${pid}`,
      fix: one === 'stray' ? 'end it, or let a run take it up' : 'look at it, and end it if it is yours',
      command: end ?? `kill ${pid}`,
    });
  });
}

/** Deep enough for an attempt of any layout (see docket ps). */
const levels = 6;

function tempFolders(root: string): Seen[] {
  const left: string[] = [];
  for (const top of ['.docket', '.agentmesh'])
    for (const { mark } of startedBelow(path.join(root, top), levels)) {
      const folder = /^[a-z0-9]/.test(mark) ? tempFolderOf(mark) : undefined;
      if (folder !== undefined && exists(folder) && findMarked(mark).length === 0) left.push(folder);
    }
  if (left.length === 0) return [ok('no temporary folders of runs that died')];
  return left.map((folder) =>
    problem('warn', 'a temporary folder of a run that died', {
      where: folder,
      fix: 'nobody needs it',
      command: `rm -r ${shellWord(folder)}`,
    }),
  );
}

async function leftovers({ root }: Project): Promise<Seen[]> {
  return [...tempFolders(root), ...aside(root), ...(await trials(root))];
}

/** Only older versions of docket left such entries. The next merge removes them too. */
async function trials(root: string): Promise<Seen[]> {
  const { code, stdout } = await tryGit(root, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  if (code !== 0) return []; // the check of the repository reports it
  return trialLeftovers(stdout.trimEnd(), path.join(root, '.docket', 'queue')).map((entry) =>
    problem(
      'bad',
      fix`a killed "${command`merge`}" left a broken work tree entry, and git fetch fails because of it`.text,
      {
        where: entry,
        fix: fix`remove it (the next ${command`merge`} does so too); it holds no work`.text,
        command: `rm -r ${shellWord(fromRoot(root, entry))}`,
      },
    ),
  );
}

/** Bytes of writes that were cut short: kept for people to look at. */
function aside(root: string): Seen[] {
  const folder = path.join(root, '.docket', 'queue');
  const names = listDir(folder).filter((name) => /^(torn|cut)-[\w.-]+$/.test(name));
  return names.map((name) => {
    const file = path.join('.docket', 'queue', name);
    const what = 'the rest of a write that was cut short was kept';
    return problem('warn', what, { where: file, fix: 'look at it; then it can go', command: `rm ${file}` });
  });
}

const people = /^\.docket\/(\.gitignore|config\.yaml|prompts\/)/;

/** docket's own files belong to one machine: git must not carry them to another. */
async function state({ root, env }: Project): Promise<Seen[]> {
  if (env['HOME'] && path.resolve(root) === path.resolve(env['HOME']))
    return [
      problem('warn', 'the root is your home folder: every folder below it would be part of one project', {
        where: root,
        fix: 'begin in the folder of a project',
        command: String(command`init --root DIR`),
      }),
    ];
  const listed = await tryGit(root, ['ls-files', '-z', '--', '.docket']);
  const carried = listed.code === 0 ? listed.stdout.split('\0').filter((name) => name !== '') : [];
  const wrong = carried.filter((name) => !people.test(name));
  if (wrong.length > 0)
    return [
      problem('warn', `${wrong.length} files of docket's own state are committed, such as ${wrong[0]}`, {
        where: '.docket',
        fix: 'take them out of git; they stay on disk',
        command: 'git rm -r --cached --quiet .docket && git add .docket',
      }),
    ];
  if (exists(path.join(root, '.docket')) && !exists(path.join(root, '.docket', '.gitignore')))
    return [
      problem('warn', 'nothing keeps the state of docket out of git', {
        where: '.docket',
        fix: 'write the rules for it',
        command: String(command`init`),
      }),
    ];
  return [ok('git carries none of it')];
}
