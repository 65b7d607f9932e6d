import { basename } from 'node:path';
import { DocketError } from '../../../src/errors.ts';
import type {
  Packet,
  PacketPlan,
  RanPacket,
  Retained,
  RunPacketInput,
  StageView,
} from '../../../src/kinds/packet/api.ts';
import type { Packets } from '../../../src/kinds/packet/packets.ts';
import type { Finding } from '../../../src/surfaces/cli/frame/world.ts';
import type { Task } from '../../../src/task/schema.ts';

type Control = Pick<RunPacketInput, 'signal' | 'onProgress'>;

interface Start {
  packets?: Packet[];
  findings?: Finding[];
  plan?: PacketPlan;
  retained?: Retained[];
  /** How many a packet has. */
  files?: number;
  config?: Awaited<ReturnType<Packets['config']>>;
  /** What a run or a review comes to, after it has told its progress. */
  run?: (control: Control) => Promise<RanPacket> | RanPacket;
}

/** Packets in memory: they keep what they are told, refuse what is not there, and remember the calls. */
export function fakePackets(start: Start = {}) {
  const calls: [name: string, ...args: unknown[]][] = [];
  const all = new Map((start.packets ?? []).map((one) => [one.id, one]));
  const get = (id: string): Packet => {
    const found = all.get(id);
    if (found === undefined)
      throw new DocketError('NOT_FOUND', `there is no packet ${id}`, 'see docket packet list', { id });
    return found;
  };
  const go = async (control: Control): Promise<RanPacket> => start.run?.(control) ?? ran(packet());

  const packets: Packets = {
    at: async (folder) => get(basename(folder)).id,
    make: async (input) => {
      calls.push(['make', input]);
      return packet({ id: input.id ?? 'p-new', goal: input.goal, intent: input.intent, stages: [] });
    },
    list: async ({ archived = false } = {}) => {
      const packets = [...all.values()].filter((one) => (one.archived ?? false) === archived);
      return { packets, findings: start.findings ?? [] };
    },
    show: async (id) => get(id),
    run: async (id, { signal, onProgress, ...input }) => {
      calls.push(['run', get(id).id, input]);
      return go({ signal, ...(onProgress && { onProgress }) });
    },
    plan: async (id, input) => {
      calls.push(['plan', get(id).id, input]);
      return start.plan ?? { profile: 'safe_impl', stages: [] };
    },
    cancel: async (id, input) => {
      calls.push(['cancel', get(id).id, input]);
      return packet({ id, status: 'canceled' }, { canceledBecause: input.reason });
    },
    archive: async (ids, how) => {
      calls.push(['archive', ids, how]);
      return 'olderThanDays' in ids ? [...all.keys()] : ids.map((id) => get(id).id);
    },
    retain: async (dryRun) => {
      calls.push(['retain', dryRun]);
      return start.retained ?? [];
    },
    remove: async (id, dryRun) => {
      calls.push(['remove', get(id).id, dryRun]);
      return { files: start.files ?? 12 };
    },
    review: async ({ signal, onProgress, ...input }) => {
      calls.push(['review', input]);
      return { ...(await go({ signal, ...(onProgress && { onProgress }) })), results: input.out };
    },
    config: async (id) => {
      calls.push(['config', id]);
      return start.config ?? { value: {}, sources: {} };
    },
    validate: async (id) => {
      calls.push(['validate', get(id).id]);
      return start.findings ?? [];
    },
  };
  return { packets, calls };
}

const time = '2026-03-01T11:00:00Z';
const card = {
  id: 'p-1',
  rev: 1,
  title: 'Retry failed logins',
  spec: { body: '' },
  priority: 0,
  needs: [],
  createdAt: time,
  createdBy: 'user',
  updatedAt: time,
  queuedAt: time,
  extras: {},
};

export const stages: StageView[] = [
  { stage: 'gemini_brief', state: 'done', exitCode: 0, seconds: 12.4, reasons: [] },
  { stage: 'codex_impl', state: 'pending', reasons: [] },
];

/** A packet with these facts; `task` has the fields of its status. */
export function packet(
  facts: Partial<Omit<Packet, 'task'>> = {},
  task: Record<string, unknown> = {},
): Packet {
  const status = facts.status ?? 'queued';
  const id = facts.id ?? card.id;
  return {
    dir: `.tmp/task/${id}`,
    goal: card.title,
    intent: 'safe_impl',
    stages,
    calls: { used: 1, budget: 10 },
    ...facts,
    id,
    status,
    task: { ...card, id, status, ...task } as Task,
  };
}

export function ran(one: Packet, more: Partial<RanPacket> = {}): RanPacket {
  return { ...one, interrupted: false, summary: `${one.dir}/outputs/_summary.md`, ...more };
}

const failure = { failure: { error: 'the gate refused codex_impl', step: 'codex_impl' } };
const failedStage = { stage: 'codex_impl', state: 'failed', exitCode: 0, seconds: 3, reasons: ['no diff'] };

export function failed(stage: Partial<StageView> = {}): Packet {
  return packet({ status: 'failed', stages: [...stages.slice(0, 1), { ...failedStage, ...stage }] }, failure);
}

export function blocked(kind: string, who: string, text = 'log in first'): Packet {
  return packet({ status: 'blocked' }, { reason: { kind, who, text } });
}
