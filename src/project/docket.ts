import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { noFile } from '../errors/no-file.ts';
import { type Clock, iso, systemClock } from '../io/clock.ts';
import { readNamed, sizeAndInode } from '../io/files.ts';
import type { AddInput } from '../kinds/add-input.ts';
import { queueStore } from '../kinds/queue/store.ts';
import type { TryInput } from '../kinds/try-agent.ts';
import type { Project } from '../settings/project.ts';
import type { Finding } from '../store/store.ts';
import type { Docket } from './api.ts';
import type { CompatEnd, CompatWorld } from './compat/run.ts';
import { assertProject, inProject, openForNew } from './project.ts';
import { findRoot, type RootOptions } from './root.ts';
import type { RunInput } from './run.ts';

export type { AddInput, Docket, RunInput, TryInput };
export { findRoot, readText };

export interface DocketOptions extends RootOptions {
  clock?: Clock;
  warn?: (warning: string) => void;
  /** Makes the terminal ring in which somebody watches a run. Absent: nobody does. */
  ring?: (sound: string) => void;
}

export async function openDocket(options: DocketOptions): Promise<Docket> {
  const found = await findRoot(options);
  const { root } = found;
  const clock = options.clock ?? systemClock;
  const env = options.env ?? process.env;
  const dir = path.join(root, '.docket', 'queue');
  const warn = options.warn ?? (() => undefined);
  const where: Project = {
    root,
    env,
    clock,
    warn,
    ...(options.ring && { ring: options.ring }),
    notify: async (watched, run) => (await import('./notify/notifier.ts')).notified(where, watched, run),
  };
  const store = queueStore({ root, dir, env, clock, ...(options.warn && { warn: options.warn }) });
  const { readAll } = store;
  const writable = inProject(found, store.writable);
  const made = () => openForNew(found, env, store.writable);
  const project = { ...where, openQueue: writable, assertThere: () => assertProject(found) };
  const acts = () => import('./tasks/act.ts');

  return {
    root,
    found,
    isSetUp: async () => (await import('../settings/read-config.ts')).hasProjectConfig(root),
    async add(input) {
      const [{ addTask }, { newId }] = await Promise.all([
        import('./tasks/add.ts'),
        import('../store/new-id.ts'),
      ]);
      return addTask(await made(), input, { id: newId(clock), now: iso(clock) }, where);
    },
    list: store.list,
    listTexts: store.listTexts,
    findings: store.findings,
    async run(input) {
      const { runQueue } = await import('./run.ts');
      const tasks = input.tasks && (await (await acts()).idsFor(project, 'run', input.tasks));
      return runQueue(await writable(), { ...input, ...(tasks && { tasks }) }, { ...where, dir });
    },
    async plan(input) {
      const { planRun } = await import('./plan.ts');
      const tasks = input.tasks && (await (await acts()).idsFor(project, 'run', input.tasks));
      return planRun(await readAll({}), { ...input, ...(tasks && { tasks }) }, { ...where, dir });
    },
    agents: async () => (await import('./agents/list-agents.ts')).listAgents(where),
    async view() {
      const { Viewer } = await import('./view/view.ts');
      return new Viewer(where);
    },
    tasks: async () => (await import('../kinds/directory/directories.ts')).taskDirectories(where),
    names: async (source) => (await import('./names.ts')).namesFor(source, where),
    find: async (ref, of) => (await import('./tasks/find.ts')).findTask(where, ref, of),
    act: async (act, refs, input) => (await acts()).actOn(project, act, refs, input),
    gates: async (ref, of) => (await acts()).gatesIn(project, ref, of),
    answer: async (ref, gate, answer) => (await acts()).answerGate(project, ref, gate, answer),
    trust: async (ref, input) => (await acts()).setTrust(project, ref, input),
    evidence: async (ref, query) => (await import('./tasks/evidence.ts')).readEvidenceOf(where, ref, query),
    explain: async (ref, of) => (await import('./explain/explain.ts')).explain(where, ref, of),
    show: async (ref, of) => (await import('./explain/show.ts')).showTask(where, ref, of),
    async *watch(stop, since) {
      yield* (await import('./feed/feed.ts')).watchStores(where, stop, since);
    },
    position: async () => (await import('./feed/feed.ts')).positionNow(where),
    async check(ref, of) {
      const [{ findTask }, { kindNamed }] = await Promise.all([
        import('./tasks/find.ts'),
        import('./tasks/kinds.ts'),
      ]);
      const found = await findTask(where, ref, of);
      return kindNamed(found.kind).validate(where, found);
    },
    async *logs(ref, query) {
      const { followAll, readLogs } = await import('./logs/logs.ts');
      yield* ref === undefined ? followAll(where, query) : readLogs(where, ref, query);
    },
    async finished() {
      const { finishedWork } = await import('../kinds/queue/finished.ts');
      const work = finishedWork({ ...where, dir, read: readAll, open: writable });
      return (await acts()).finishedByName(project, work);
    },
    disk: async () => (await import('./disk.ts')).diskUse(where),
    queueFiles: async () =>
      (await import('../kinds/queue/files.ts')).queueFiles({
        root,
        dir,
        clock,
        read: () => readAll({}),
        open: writable,
      }),
    board: async () => (await import('../kinds/board/board.ts')).makeBoard(where),
    async boardTools() {
      const { boardTools } = await import('../kinds/board/tools.ts');
      const tools = boardTools(where);
      return { ...tools, rebuild: inProject(found, (options) => tools.rebuild(options)) };
    },
    // A run that a chat began is told in that chat, and nowhere else.
    chats: async () => (await import('./chat/chats.ts')).makeChats({ root, env, clock, warn }),
    packets: async () => (await import('../kinds/packet/packets.ts')).makePackets(where),
    workflows: async () => (await import('./workflow/workflows.ts')).makeWorkflows(where),
    processes: async () => (await import('./ps/processes.ts')).makeProcesses(where),
    notices: async () => (await import('./notify/notices.ts')).makeNotices(where),
    spending: async () => (await import('./money/spending.ts')).spending(where),
    tryAgent: async (input) => (await import('../kinds/try-agent.ts')).tryAgent(input, where),
    init: async (input) => (await import('./init/init.ts')).initProject(where, input),
    repair: async (name, options) => (await import('./check/repair.ts')).repairLogs(where, name, options),
    doctor: async (input) => (await import('./doctor/doctor.ts')).examine(where, input),
    forAgent: async (name) => (await import('./for-agent/side.ts')).agentSide(project, name, made),
    skill: async () => (await import('./skill/install.ts')).makeSkill(where),
    close: store.close,
  };
}

/** Checks a file or folder and changes nothing: tasks.yaml, a journal, a config, a root. */
export async function validate(
  target: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Finding[]> {
  const { validatePath } = await import('./check/validate.ts');
  return validatePath(target, env);
}

/** A script of the original board, with its own arguments: its root is among them. */
export async function compat(
  script: string,
  argv: readonly string[],
  world: CompatWorld,
): Promise<CompatEnd> {
  const { runCompat } = await import('./compat/run.ts');
  return runCompat(script, argv, world);
}

const longestText = 16 * 1024 * 1024;

/** The text of a file that a person named. */
async function readText(file: string, longest = longestText): Promise<string> {
  const data = { path: file };
  const size = sizeAndInode(file)?.size;
  if (size === undefined) throw noFile(file);
  if (size > longest) {
    throw new DocketError(
      'TOO_LARGE',
      `${file} has ${size} bytes; it may have ${longest}`,
      'shorten it: keep the long part in a file of the repository and name that file in the text',
      data,
    );
  }
  const bytes = readNamed(file) ?? Buffer.alloc(0);
  if (!isUtf8(bytes))
    throw new DocketError(
      'BAD_FILE',
      `${file} is not valid UTF-8`,
      `save it as UTF-8, or convert it: iconv -f LATIN1 -t UTF-8 ${file}`,
      data,
    );
  return bytes.toString('utf8');
}
