import { Buffer } from 'node:buffer';
import { DocketError } from '../../../src/errors.ts';
import type { TaskDirectories } from '../../../src/kinds/directory/directories.ts';
import type { Packets } from '../../../src/kinds/packet/packets.ts';
import type { QueueFiles } from '../../../src/kinds/queue/files.ts';
import type { FinishedWork } from '../../../src/kinds/queue/finished.ts';
import type { AddInput, Docket, DocketOptions } from '../../../src/project/docket.ts';
import type { Processes } from '../../../src/project/ps/api.ts';
import { dispatch } from '../../../src/surfaces/cli/dispatch.ts';
import type { Facade, Finding, Found, World } from '../../../src/surfaces/cli/frame/world.ts';
import type { Task, TaskOf } from '../../../src/task/schema.ts';
import type { FakeClock } from './fake-clock.ts';
import { fakeDirectories } from './fake-directories.ts';
import { fakePackets } from './fake-packets.ts';

/** The command line as a function: what it printed, how it ended, and what it asked docket for. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
  added: AddInput[];
  opened: DocketOptions[];
  queries: Parameters<Docket['list']>[0][];
}

export interface Setting {
  disk?: Docket['disk'];
  tasks?: Task[];
  waits?: Found['waits'];
  findings?: Finding[];
  /** What validate answers, by path. */
  checks?: Record<string, Finding[] | DocketError>;
  files?: Record<string, string>;
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  tty?: boolean;
  columns?: number;
  fail?: unknown;
  directories?: TaskDirectories;
  gates?: Pick<Docket, 'gates' | 'answer'>;
  packets?: Packets;
  finished?: FinishedWork;
  queueFiles?: QueueFiles;
  processes?: Processes;
  /** Stands still when there is none. */
  clock?: FakeClock;
  /** Aborted when the person presses Ctrl-C. */
  stop?: AbortSignal;
  /** Aborted when the reader of stdout leaves. */
  gone?: AbortSignal;
  /** Hears what is written to stderr. */
  onTalk?: (text: string) => void;
}

const now = Date.parse('2026-03-01T12:00:00Z');

export async function docket(argv: readonly string[], setting: Setting = {}): Promise<Ended> {
  const ended: Ended = { code: -1, stdout: '', stderr: '', added: [], opened: [], queries: [] };
  const terminal = { isTTY: setting.tty ?? false, ...(setting.columns && { columns: setting.columns }) };
  const world: World = {
    argv,
    env: setting.env ?? {},
    cwd: '/project',
    stdout: {
      ...terminal,
      write: (text: string) => (ended.stdout += text),
      onGone: (listener) => setting.gone?.addEventListener('abort', listener),
    },
    stderr: {
      ...terminal,
      write: (text: string) => {
        ended.stderr += text;
        setting.onTalk?.(text);
      },
    },
    stdin: {
      isTTY: terminal.isTTY,
      async *[Symbol.asyncIterator]() {
        yield Buffer.from(setting.stdin ?? '');
      },
    },
    now: () => setting.clock?.now() ?? now,
    every: (ms, listener) => setting.clock?.every(ms, listener) ?? (() => undefined),
    onStop: (listener) => {
      setting.stop?.addEventListener('abort', listener);
      return () => setting.stop?.removeEventListener('abort', listener);
    },
    docket: async () => fakeDocket(setting, ended),
  };
  ended.code = await dispatch(world);
  return ended;
}

export function json(ended: Ended): Record<string, unknown> {
  const lines = ended.stdout.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one JSON line: ${ended.stdout}`);
  return JSON.parse(lines[0]!) as Record<string, unknown>;
}

const card = {
  id: 't1',
  rev: 1,
  title: 'Fix the login test',
  spec: { body: 'Fix the login test' },
  priority: 0,
  needs: [],
  createdAt: '2026-03-01T11:00:00Z',
  createdBy: 'me',
  updatedAt: '2026-03-01T11:00:00Z',
  queuedAt: '2026-03-01T11:00:00Z',
  extras: {},
};

export function queued(fields: Partial<TaskOf<'queued'>> = {}): Task {
  return { ...card, status: 'queued', ...fields };
}

export function blocked(reason: TaskOf<'blocked'>['reason'], fields: Partial<TaskOf<'blocked'>> = {}): Task {
  return { ...card, status: 'blocked', reason, ...fields };
}

function fakeDocket(setting: Setting, ended: Ended): Facade {
  const docket: Docket = {
    isSetUp: async () => false,
    root: '/project',
    found: { root: '/project', how: 'named' },
    view: () => Promise.reject(new Error('there is no view in this world')),
    watch: () => Promise.reject(new Error('there is no feed in this world')) as never,
    position: () => Promise.reject(new Error('there is no feed in this world')),
    add: async (input) => {
      ended.added.push(input);
      const extras = input.name === undefined ? {} : { queue: { name: input.name } };
      return queued({ title: input.text.split('\n')[0]!, spec: { body: input.text }, extras });
    },
    list: async (query) => {
      ended.queries.push(query);
      return { tasks: setting.tasks ?? [], waits: setting.waits ?? {}, findings: setting.findings ?? [] };
    },
    listTexts: async (query) => {
      ended.queries.push(query);
      return {
        tasks: (setting.tasks ?? []).map((task) => JSON.stringify(task)),
        waits: setting.waits ?? {},
        findings: setting.findings ?? [],
      };
    },
    findings: () => setting.findings ?? [],
    names: async () => [],
    run: async () => [],
    plan: async () => [],
    explain: async () => {
      throw new Error('nothing to explain here');
    },
    check: async (ref) => {
      throw new DocketError('NOT_FOUND', `there is no task ${ref}`, '');
    },
    show: async () => {
      throw new Error('nothing to show here');
    },
    logs: async function* () {},
    agents: async () => [],
    repair: async () => [],
    doctor: async () => [],
    init: async () => {
      throw new Error('nothing to set up here');
    },
    spending: async () => {
      throw new Error('nothing was spent here');
    },
    tryAgent: async () => {
      throw new Error('no agents here');
    },
    tasks: async () => setting.directories ?? fakeDirectories().directories,
    find: () => Promise.reject(new Error('nothing to find here')),
    act: async () => [],
    ...(setting.gates ?? fakeDirectories().gates),
    trust: () => Promise.reject(new Error('nobody is trusted here')),
    evidence: () => Promise.reject(new Error('no evidence here')),
    disk: setting.disk ?? (async () => []),
    queueFiles: async () =>
      setting.queueFiles ?? {
        archive: async () => [],
        migrate: async () => [],
        answerRemovals: async () => [],
      },
    finished: async () => {
      if (setting.finished) return setting.finished;
      throw new Error('no finished work here');
    },
    packets: async () => setting.packets ?? fakePackets().packets,
    board: () => Promise.reject(new Error('no board here')),
    boardTools: () => Promise.reject(new Error('no board here')),
    chats: () => Promise.reject(new Error('no chats here')),
    forAgent: () => Promise.reject(new Error('no agents here')),
    skill: () => Promise.reject(new Error('no skill here')),
    notices: () => Promise.reject(new Error('nobody is told here')),
    processes: async () => setting.processes ?? { list: async () => [], endStrays: async () => [] },
    workflows: async () => {
      throw new Error('no workflows here');
    },
    close: async () => {},
  };
  return {
    findRoot: async (options) => {
      ended.opened.push(options);
      if (setting.fail !== undefined) throw setting.fail as Error;
      return docket.found;
    },
    openDocket: async (options) => {
      ended.opened.push(options);
      if (setting.fail !== undefined) throw setting.fail as Error;
      return docket;
    },
    validate: async (path) => {
      const found = setting.checks?.[path] ?? [];
      if (found instanceof DocketError) throw found;
      return found;
    },
    readText: async (path) => {
      const text = setting.files?.[path];
      if (text === undefined)
        throw new DocketError('NOT_FOUND', `no file ${path}`, 'check the path', { path });
      return text;
    },
    compat: () => Promise.reject(new Error('no board here')),
  };
}
